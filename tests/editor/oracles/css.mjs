// Where PostCSS sees the statements of stylesheets: node css.mjs FOLDER LIST
//
// FOLDER has postcss and postcss-scss in its node_modules. For each path in the file LIST (one a line) it prints one line of JSON:
// { path, error } or { path, nodes: ["start what"] } with offsets in bytes, without comments. tests/editor/oracle_css.rs prints the
// same from our scanner.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(join(process.argv[2], 'x.js'))
const css = require('postcss').parse
const scss = require('postcss-scss').parse

const plain = (text) =>
  text
    .replace(/\/\*[^]*?\*\//g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

function described(node) {
  if (node.type === 'rule') return `rule ${plain(node.raws.selector?.raw ?? node.selector)}`
  if (node.type === 'atrule') return `@${node.name} ${plain(node.raws.params?.raw ?? node.params)}`.trim()
  if (node.type !== 'decl' || node.isNested || !/^[\w-]+$/.test(node.prop)) return null
  const value = plain(node.raws.value?.raw ?? node.value)
  return `${node.prop}: ${value}${node.important ? ' !important' : ''}`
}

for (const path of readFileSync(process.argv[3], 'utf8').split('\n')) {
  const text = readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  try {
    const ascii = Buffer.byteLength(text) === text.length
    const bytes = (offset) => (ascii ? offset : Buffer.byteLength(text.slice(0, offset)))
    const nodes = []
    ;(path.endsWith('.scss') ? scss : css)(text).walk((node) => {
      const what = described(node)
      if (what) nodes.push(`${bytes(node.source.start.offset)} ${what}`)
    })
    console.log(JSON.stringify({ path, nodes }))
  } catch (error) {
    console.log(JSON.stringify({ path, error: error.message }))
  }
}
