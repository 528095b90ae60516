// Writes src/net/types.ts from the server's JSON Schema on standard input:
//   python -m visavis.server.json_schema | node tools/types.js
// With --check it only says whether the file is what it would write.

import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';

const FILE = new URL('../src/net/types.ts', import.meta.url);
const BANNER = `/* Generated from the server's messages by tools/types.js; do not edit. */`;

/** The generator knows tuples by their older name, and would make a type of every title. */
function adapt(node) {
  if (Array.isArray(node)) return node.map(adapt);
  if (node === null || typeof node !== 'object') return node;
  const { prefixItems, ...rest } = node;
  const adapted = Object.fromEntries(
    Object.entries(rest)
      .filter(
        ([key, value]) =>
          key !== 'discriminator' && !(key === 'title' && typeof value === 'string'),
      )
      .map(([key, value]) => [key, adapt(value)]),
  );
  if (typeof adapted.description === 'string') {
    adapted.description = adapted.description.replace(/\n\s+/g, '\n').replaceAll('``', '`');
  }
  if (prefixItems === undefined) return adapted;
  return { ...adapted, items: adapt(prefixItems), minItems: prefixItems.length, maxItems: prefixItems.length }; // prettier-ignore
}

const schema = adapt(JSON.parse(readFileSync(0, 'utf8')));
const compiled = await compile({ ...schema, type: 'object', additionalProperties: false }, 'Wire', {
  bannerComment: BANNER,
  additionalProperties: false,
  unreachableDefinitions: true,
  style: { singleQuote: true, printWidth: 100 },
});

/** It says of every type where it came from, which goes without saying. */
const types = compiled
  .replace(/ \*\n \* This interface was referenced by[^/]*?definition` "\w+"\.\n/g, '')
  .replace(/\/\*\*\n \* This interface was referenced by[^/]*?definition` "\w+"\.\n \*\/\n/g, '')
  .replace('export interface Wire {}\n', '');

if (!process.argv.includes('--check')) writeFileSync(FILE, types);
else if (readFileSync(FILE, 'utf8') !== types) {
  console.error('src/net/types.ts is not what the server speaks: run make format');
  process.exit(1);
}
