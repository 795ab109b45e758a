/** `npm run pages`: writes the parts of documents that are made from the code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { PAGES, withPart } from './generated';

for (const { file, part } of PAGES) writeFileSync(file, withPart(readFileSync(file, 'utf8'), part()));
