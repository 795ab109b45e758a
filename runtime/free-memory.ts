import { setFlagsFromString } from 'node:v8';

/** Stops V8 from collecting garbage again and again while the process is idle. This would take a hundredth of a core. */
export function keepFreeMemory(): void {
  setFlagsFromString('--no-memory-reducer');
}
