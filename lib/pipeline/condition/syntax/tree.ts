/** Defines the syntax tree of conditions: plain data that can be compiled, traced, and printed. */

/** Offsets into the source. `end` is exclusive. An expression’s range includes the parentheses around it. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** A property name or array index written as a constant in the source. */
export type Key = string | number;

export interface Literal extends SourceRange {
  readonly kind: 'literal';
  readonly value: string | number | boolean | null | undefined;
}
export interface RegExpLiteral extends SourceRange {
  readonly kind: 'regexp';
  readonly pattern: string;
  readonly flags: string;
}
export interface Template extends SourceRange {
  readonly kind: 'template';
  /** Always has one more item than `values`. */
  readonly strings: readonly string[];
  readonly values: readonly Expression[];
}
/** A name from the context or the safe list. */
export interface Name extends SourceRange {
  readonly kind: 'name';
  readonly name: string;
}
/** An arrow function’s parameter: number `index` of the function `depth` levels out. */
export interface Parameter extends SourceRange {
  readonly kind: 'parameter';
  readonly name: string;
  readonly depth: number;
  readonly index: number;
}
/** `object.key`, `object[key]`; with `optional`, `object?.key`. */
export interface Member extends SourceRange {
  readonly kind: 'member';
  readonly object: Expression;
  readonly key: Key | Expression;
  readonly optional: boolean;
}
/** `callee(args)`; with `optional`, `callee?.(args)`. */
export interface Call extends SourceRange {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly args: readonly Argument[];
  readonly optional: boolean;
}
/** `object.key(args)`; with `optional`, `object?.key(args)`; with `optionalCall`, `object.key?.(args)`. */
export interface MethodCall extends SourceRange {
  readonly kind: 'methodCall';
  readonly object: Expression;
  readonly key: Key | Expression;
  readonly args: readonly Argument[];
  readonly optional: boolean;
  readonly optionalCall: boolean;
}
/** An entire chain with an optional link. If the link finds nothing, evaluation ends here. */
export interface OptionalChain extends SourceRange {
  readonly kind: 'chain';
  readonly expression: Member | Call | MethodCall;
}
export interface Unary extends SourceRange {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}
export interface Binary extends SourceRange {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}
export interface Conditional extends SourceRange {
  readonly kind: 'conditional';
  readonly test: Expression;
  readonly consequent: Expression;
  readonly alternate: Expression;
}
export interface ArrayLiteral extends SourceRange {
  readonly kind: 'array';
  readonly items: readonly (Expression | Spread)[];
}
export interface ObjectLiteral extends SourceRange {
  readonly kind: 'object';
  readonly properties: readonly (Property | Spread)[];
}
export interface Property extends SourceRange {
  readonly kind: 'property';
  readonly key: string | Expression;
  readonly value: Expression;
}
export interface Spread extends SourceRange {
  readonly kind: 'spread';
  readonly value: Expression;
}
export interface Arrow extends SourceRange {
  readonly kind: 'arrow';
  readonly parameters: readonly string[];
  readonly body: Expression;
}

export type Argument = Expression | Arrow | Spread;
export type Expression =
  | Literal
  | RegExpLiteral
  | Template
  | Name
  | Parameter
  | Member
  | Call
  | MethodCall
  | OptionalChain
  | Unary
  | Binary
  | Conditional
  | ArrayLiteral
  | ObjectLiteral;
export type Node = Argument | Property;

export type UnaryOperator = '!' | '-' | '+' | 'typeof' | 'void';
export type BinaryOperator =
  | '??'
  | '||'
  | '&&'
  | '=='
  | '!='
  | '==='
  | '!=='
  | '<'
  | '>'
  | '<='
  | '>='
  | 'in'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '**';
