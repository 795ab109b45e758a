import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { published, publishedOrNull, type ServerKind } from './published';

/** Lists the skipped suites for `report-missing.js`. */
const REPORT = 'missing-servers.jsonl';

/**
 * Defines a suite that needs a server. If the server is missing, the suite is skipped and the end of the run says how to install the
 * server. With `CI=true`, the run fails.
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
