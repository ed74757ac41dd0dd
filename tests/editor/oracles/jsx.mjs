// What Babel reads in files with JSX: node jsx.mjs FOLDER LIST
//
// FOLDER has @babel/parser in its node_modules. For each path in the file LIST (one a line) it prints one line of JSON:
// { path, error } or { path, elements: ["name start..end opening"] }, offsets in bytes. tests/editor/oracle_jsx.rs prints the same
// from our parser.
import { readFileSync } from 'node:fs'
import { elements } from './babel.mjs'

for (const path of readFileSync(process.argv[3], 'utf8').split('\n')) {
  const text = readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  try {
    const found = elements(text, path)
    const ascii = Buffer.byteLength(text) === text.length
    const bytes = (offset) => (ascii ? offset : Buffer.byteLength(text.slice(0, offset)))
    const lines = found.map(
      ({ name, start, end, opening }) => `${name} ${bytes(start)}..${bytes(end)} ${bytes(opening)}`,
    )
    console.log(JSON.stringify({ path, elements: lines }))
  } catch (error) {
    console.log(JSON.stringify({ path, error: error.message }))
  }
}
