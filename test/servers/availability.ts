import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { published, publishedOrNull, type ServerKind } from './published';

/** The file in which suites that could not run are named, for `report-missing.js`. */
const REPORT = 'missing-servers.jsonl';

/**
 * A suite that needs a server. Where the machine cannot have that server the suite does not run, is named at the end
 * of the run with what would enable it, and with `CI=true` fails the run.
 */
export function describeWith(kind: ServerKind, title: string, suite: () => void): void {
  const missing = publishedOrNull(`TEST_MISSING_${kind}`);
  if (missing === null) {
    describe(title, suite);
    return;
  }
  const line = JSON.stringify({ kind, title, reason: missing });
  appendFileSync(join(published('TEST_SERVERS_FOLDER'), REPORT), `${line}\n`);
  describe.skip(title, suite);
}
