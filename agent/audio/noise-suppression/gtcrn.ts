/** GTCRN in WebAssembly: a small network that separates a voice from noise. It runs in this process, on 16 kHz. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const MODULE = '@sapphi-red/web-noise-suppressor/gtcrn.wasm';
/** Samples that it takes at once. What it returns is the block before: its windows overlap by half. */
export const BLOCK = 256;
const BYTES_A_SAMPLE = Float32Array.BYTES_PER_ELEMENT;
const PAGE_BYTES = 65_536;
const FULL_SCALE = 32_768;

interface Memory {
  readonly buffer: ArrayBuffer;
  grow: (pages: number) => number;
}

/** Of Node's own, whose types are those of browsers only. */
declare const WebAssembly: {
  compile: (bytes: Uint8Array) => Promise<object>;
  instantiate: (module: object, imports: object) => Promise<{ exports: object }>;
};

/**
 * The names are the compiler's, as the package's worklet maps them; they may differ in another build, so the package has one exact version
 * and a test. Addresses are in the module's memory.
 */
interface Exports {
  /** memory */
  c: Memory;
  /** __wasm_call_ctors */
  d: () => void;
  /** gtcrn_create: the address of a new state, 0 where it fails. */
  e: () => number;
  /** gtcrn_process: state, input, output. */
  i: (state: number, input: number, output: number) => void;
  /** malloc */
  k: (bytes: number) => number;
}

let compiled: Promise<object> | null = null;

/** Each has the state of one voice. It is released with the object. Rejects where the module cannot be had. */
export class Gtcrn {
  private readonly state: number;
  private readonly input: number;
  private readonly output: number;

  private constructor(private readonly wasm: Exports) {
    this.state = wasm.e();
    this.input = wasm.k(BLOCK * BYTES_A_SAMPLE);
    this.output = wasm.k(BLOCK * BYTES_A_SAMPLE);
    if (this.state === 0 || this.input === 0 || this.output === 0) throw new Error('GTCRN has no memory');
  }

  static async load(): Promise<Gtcrn> {
    compiled ??= readFile(createRequire(__filename).resolve(MODULE)).then((bytes) =>
      WebAssembly.compile(new Uint8Array(bytes)),
    );
    let memory: Memory | null = null;
    const abort = (): never => {
      throw new Error('GTCRN failed an assertion');
    };
    const resize = (bytes: number): number => (memory !== null && grownTo(memory, bytes) ? 1 : 0);
    const { exports } = await WebAssembly.instantiate(await compiled, { a: { a: abort, b: resize } });
    const wasm = exports as Exports;
    memory = wasm.c;
    wasm.d();
    return new Gtcrn(wasm);
  }

  /** One block; the voice of the block before, in the same units. */
  voiceOf(block: Int16Array): Float32Array {
    const { wasm, state, input, output } = this;
    new Float32Array(wasm.c.buffer, input, BLOCK).set(
      Float32Array.from(block, (sample) => sample / FULL_SCALE),
    );
    wasm.i(state, input, output);
    return new Float32Array(wasm.c.buffer, output, BLOCK).map((sample) => sample * FULL_SCALE);
  }
}

function grownTo(memory: Memory, bytes: number): boolean {
  try {
    memory.grow(Math.max(0, Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES)));
    return true;
  } catch {
    return false;
  }
}
