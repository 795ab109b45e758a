/** Bundles the workflows at build time, so that a restarted worker polls within a second or two. */
import { existsSync } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker';

/** Source folders of the bundles. */
const folders = ['workflows', 'domain'].map((name) => join(__dirname, '..', name));

/** Paths of the two bundles, without and with tracing. */
const bundlePath = join(__dirname, '..', 'workflow-bundle.js');
const tracedBundlePath = join(__dirname, '..', 'workflow-bundle-traced.js');

interface Bundling {
  /**
   * Includes Temporal's OpenTelemetry interceptors, which put the trace into the headers of a workflow's commands. Either bundle can replay
   * histories with these headers.
   */
  traced: boolean;
}

const pathOf = ({ traced }: Bundling): string => (traced ? tracedBundlePath : bundlePath);

/** Also used by tests, which bundle other workflows. */
export const tracingModules = ({ traced }: Bundling): string[] =>
  traced ? [require.resolve('@temporalio/interceptors-opentelemetry/lib/workflow-interceptors')] : [];

/** Returns the bundle from the build, or bundles now if there is none. */
export async function workflowBundle(bundling: Bundling): Promise<WorkflowBundleOption> {
  const codePath = pathOf(bundling);
  return existsSync(codePath) ? { codePath } : bundle(bundling);
}

function bundle(bundling: Bundling): Promise<{ code: string }> {
  return bundleWorkflowCode({
    workflowsPath: require.resolve('../workflows'),
    workflowInterceptorModules: tracingModules(bundling),
    logger: new DefaultLogger('WARN'),
  });
}

async function newestChange(): Promise<number> {
  const listed = folders.map((folder) => readdir(folder, { withFileTypes: true, recursive: true }));
  const files = (await Promise.all(listed)).flat().filter((entry) => entry.isFile());
  const times = files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).mtimeMs);
  return Math.max(...(await Promise.all(times)));
}

/** Does nothing if the bundle is newer than all of its sources. */
async function writeBundle(bundling: Bundling): Promise<void> {
  const path = pathOf(bundling);
  if (existsSync(path) && (await stat(path)).mtimeMs > (await newestChange())) return;
  const { code } = await bundle(bundling);
  await writeFile(path, code);
}

async function main(): Promise<void> {
  await writeBundle({ traced: false });
  await writeBundle({ traced: true });
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  });
}
