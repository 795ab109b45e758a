/**
 * Loaded into each process of a conversation before anything else. The SDK loads `sharp`, for pictures of a video that a language model is
 * shown: 8 MiB of each conversation, none of which has pictures. Here it is loaded by its first use.
 */
import Module, { createRequire } from 'node:module';

const PACKAGE = 'sharp';

function loadWhenUsed(): void {
  const sdk = createRequire(createRequire(__filename).resolve('@livekit/agents'));
  const path = sdk.resolve(PACKAGE);
  const used = (...request: unknown[]): unknown => {
    Reflect.deleteProperty(sdk.cache, path);
    const load = sdk(PACKAGE) as (...given: unknown[]) => unknown;
    return load(...request);
  };
  sdk.cache[path] = Object.assign(new Module(path), { exports: used, loaded: true });
}

try {
  loadWhenUsed();
} catch {
  // An SDK without it has nothing to be left out.
}
