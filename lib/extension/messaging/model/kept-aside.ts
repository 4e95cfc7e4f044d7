/** Owns what is told of stored data that is kept but cannot be used. */

export interface KeptAside {
  /** What a person calls it. */
  title: string;
  /** `newer`: written by a newer version of the extension; `damaged`: it cannot be opened, or lacks a part; null: it is used, but for what is aside. */
  problem: 'newer' | 'damaged' | null;
  /** How many damaged records are set aside. */
  aside: number;
}
