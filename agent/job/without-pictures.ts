/**
 * Preloaded into each conversation's process so that `sharp` loads only on first use. The SDK uses it for pictures, which our conversations
 * never have, and it takes 8 MiB per process.
 */
import Module, { createRequire } from 'node:module';

const PACKAGE = 'sharp';

function loadWhenUsed(): void {
  const sdk = createRequire(createRequire(__filename).resolve('@livekit/agents'));
  const path = sdk.resolve(PACKAGE);
  const used = (...request: unknown[]): unknown => {
    Reflect.deleteProperty(sdk.cache, path);
    const load = sdk(PACKAGE) as (...args: unknown[]) => unknown;
    return load(...request);
  };
  sdk.cache[path] = Object.assign(new Module(path), { exports: used, loaded: true });
}

try {
  loadWhenUsed();
} catch {
  // A newer SDK may no longer depend on `sharp`.
}
