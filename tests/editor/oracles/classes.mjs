// What tailwind-merge makes of class lists: node classes.mjs FOLDER LIST
//
// FOLDER has tailwind-merge in its node_modules. Each file that LIST names holds a class list on each line; for each line one line
// of JSON is printed: what is left of it. tests/editor/oracle_classes.rs compares that with our own table.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { twMerge } = createRequire(join(process.argv[2], 'x.js'))('tailwind-merge')

for (const path of readFileSync(process.argv[3], 'utf8').split('\n')) {
  const lists = readFileSync(path, 'utf8').split('\n')
  process.stdout.write(lists.map((list) => `${JSON.stringify(twMerge(list))}\n`).join(''))
}
