/** `npm run pages`: writes the parts of documents that are made from the code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { PAGES } from './generated';

for (const { file, made } of PAGES) writeFileSync(file, made(readFileSync(file, 'utf8')));
