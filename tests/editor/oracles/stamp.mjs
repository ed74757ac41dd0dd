// Stamping with @babel/parser and magic-string, as tools of this kind do it: node stamp.mjs FOLDER LIST
//
// Reads all files first, warms up once, then prints { bytes, elements, milliseconds } for one round over all of them.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { elements } from './babel.mjs'

const require = createRequire(resolve(process.argv[2], 'package.json'))
const { default: MagicString } = require('magic-string')

const files = readFileSync(process.argv[3], 'utf8').split('\n').map((path) => ({ path, text: readFileSync(path, 'utf8') }))

function round() {
  let count = 0
  for (const { path, text } of files) {
    const code = new MagicString(text)
    for (const { name, line, column, insert } of elements(text, path)) {
      if (!/^[a-z][a-z0-9]*$|-/.test(name)) continue
      code.appendLeft(insert, ` data-desde-src="${path}:${line}:${column}"`)
      count += 1
    }
    code.toString()
    code.generateMap({ source: path, hires: 'boundary' }).toString()
  }
  return count
}

round()
const before = performance.now()
const count = round()
const milliseconds = performance.now() - before
const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
console.log(JSON.stringify({ bytes, elements: count, milliseconds }))
