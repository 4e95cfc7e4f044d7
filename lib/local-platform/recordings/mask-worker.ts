/** Masks one large recording on a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { maskedContent, type SentRecording } from './masked-content.ts';

parentPort!.postMessage(await maskedContent(workerData as SentRecording), []);
