import { spawn } from 'node:child_process';
import type { Environment } from '../stack/platform-environment';

/** Returns the command that opens a URL, or null if there is no desktop. */
export function openerOf(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string | null {
  if (platform === 'darwin') return 'open';
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? 'xdg-open' : null;
}

/** Opens the address in the user's browser if there is a desktop. The caller of this function always prints the address as well. */
export function showInBrowser(address: string, environment: Environment): Promise<void> {
  const opener = openerOf(environment);
  if (opener === null) return Promise.resolve();
  return new Promise((resolve) => {
    const child = spawn(opener, [address], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve());
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
