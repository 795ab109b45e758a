/** `npm run pages`: updates files and parts of documents that are generated from the code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { PAGES } from './generated';

for (const { file, made } of PAGES) writeFileSync(file, made(readFileSync(file, 'utf8')));
