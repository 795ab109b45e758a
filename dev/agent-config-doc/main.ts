/** `npm run agent-config`: writes the tables of docs/agent-config.md from those of the code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../stack/repository';
import { withTables } from './tables';

const FILE = join(repositoryRoot(), 'docs', 'agent-config.md');

writeFileSync(FILE, withTables(readFileSync(FILE, 'utf8')));
