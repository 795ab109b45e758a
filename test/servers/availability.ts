import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { published, publishedOrNull, type ServerKind } from './published';

/** Suites that could not run are listed in this file for `report-missing.js`. */
const REPORT = 'missing-servers.jsonl';

/**
 * Defines a suite that needs a server. If the machine lacks the server, the suite is skipped, the end of the run names it with the remedy,
 * and `CI=true` fails the run.
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
