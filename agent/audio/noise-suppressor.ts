/** Lowers the noise in the audio that the agent hears, with a delay of 16 to 32 ms. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Samples } from './pcm';

/**
 * Share of the noise that is kept, because recognisers are trained on noise and not on the artefacts of full suppression. In telephone
 * band, Whisper tiny.en got 4.7 % of the words wrong without suppression, 8.3 % with full and 1.3 % with half; in wide band with louder
 * noise 26 %, 36 % and 29 %.
 */
const KEPT_SHARE = 0.5;
/** GTCRN compiled to WebAssembly: a small network that separates a voice from noise. It runs in this process at 16 kHz. */
const MODULE = '@sapphi-red/web-noise-suppressor/gtcrn.wasm';
/** Samples per call. A call returns the previous block, because the windows overlap by half. */
const BLOCK = 256;
const BYTES_A_SAMPLE = Float32Array.BYTES_PER_ELEMENT;
const PAGE_BYTES = 65_536;
const FULL_SCALE = 32_768;

export class NoiseSuppressor {
  /** Samples that don't fill a block yet. */
  private pending: Samples = new Int16Array(0);
  private before: Samples = new Int16Array(BLOCK);

  private constructor(private readonly network: Gtcrn) {}

  /** Creates the suppressor of one voice. Rejects when the module is unavailable. */
  static async load(): Promise<NoiseSuppressor> {
    return new NoiseSuppressor(await Gtcrn.load());
  }

  /** Returns earlier samples with less noise, in whole blocks of 16 ms. The result is empty until a block is full. */
  process(samples: Samples): Samples {
    const waiting = new Int16Array(this.pending.length + samples.length);
    waiting.set(this.pending);
    waiting.set(samples, this.pending.length);
    const whole = waiting.length - (waiting.length % BLOCK);
    const quieter = new Int16Array(whole);
    for (let at = 0; at < whole; at += BLOCK)
      quieter.set(this.quieterBlock(waiting.subarray(at, at + BLOCK)), at);
    this.pending = waiting.slice(whole);
    return quieter;
  }

  private quieterBlock(block: Samples): Samples {
    const voice = this.network.voiceOf(block);
    const { before } = this;
    this.before = block;
    return before.map((sample, at) =>
      Math.round(KEPT_SHARE * sample + (1 - KEPT_SHARE) * clipped(voice[at] ?? 0)),
    );
  }
}

const clipped = (sample: number): number => Math.min(Math.max(sample, -32_768), 32_767);

interface Memory {
  readonly buffer: ArrayBuffer;
  grow: (pages: number) => number;
}

/** Node's `WebAssembly`, whose types only exist in the browser library. */
declare const WebAssembly: {
  compile: (bytes: Uint8Array) => Promise<object>;
  instantiate: (module: object, imports: object) => Promise<{ exports: object }>;
};

/**
 * Names are the compiler's, as in the package's worklet. Another build can have other names, so the package is pinned to an exact version
 * and covered by a test.
 */
interface Exports {
  /** memory */
  c: Memory;
  /** __wasm_call_ctors */
  d: () => void;
  /** gtcrn_create: returns the address of a new state, or 0 on failure. */
  e: () => number;
  /** gtcrn_process: state, input, output. */
  i: (state: number, input: number, output: number) => void;
  /** malloc */
  k: (bytes: number) => number;
}

let compiled: Promise<object> | null = null;

/** Each instance holds the state of one voice, which is released with the instance. `load` rejects when the module is unavailable. */
class Gtcrn {
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

  /** Takes one block and returns the voice in the previous one, in the same units. */
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
