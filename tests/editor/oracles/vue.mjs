// What Vue's own compiler reads in single-file components: node vue.mjs FOLDER LIST
//
// FOLDER has @vue/compiler-sfc in its node_modules. For each path in the file LIST (one a line) it prints one line of JSON,
// { path, errors, lines }: each node of the file as one line of text, with byte offsets. tests/editor/oracle_vue.rs prints the same
// from our scanner.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

const require = createRequire(resolve(process.argv[2], 'package.json'))
const { parse } = require('@vue/compiler-dom')
const sfc = require('@vue/compiler-sfc')

/** UTF-16 offsets to byte offsets. */
function bytes(text) {
  const table = new Uint32Array(text.length + 1)
  let at = 0
  for (let i = 0; i < text.length; i++) {
    table[i] = at
    const unit = text.charCodeAt(i)
    // Half of a pair counts two bytes: both halves together have four.
    at += unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit < 0xe000 ? 2 : 3
  }
  table[text.length] = at
  return table
}

function describe(text) {
  const table = bytes(text)
  // An expression of nothing but spaces ends before it begins.
  const end = (loc) => Math.min(text.length, Math.max(loc.start.offset, loc.end.offset))
  const range = (loc) => `${table[Math.max(0, loc.start.offset)]}..${table[end(loc)]}`
  const errors = []
  const lines = []
  const tree = parse(text, { parseMode: 'sfc', onError: (error) => errors.push(error.message) })
  const visit = (node) => {
    if (node.type === 1) {
      lines.push(`element ${range(node.loc)} ${node.ns} ${node.tag}`)
      for (const prop of node.props) {
        if (prop.type === 6) {
          const value = prop.value ? ` ${range(prop.value.loc)} ${JSON.stringify(prop.value.content)}` : ''
          lines.push(`attribute ${range(prop.loc)} ${range(prop.nameLoc)}${value}`)
        } else {
          const argument = prop.arg ? ` :${range(prop.arg.loc)}` : ''
          // A leading dot brings a modifier without a place.
          const modifiers = prop.modifiers.filter((one) => one.loc.end.offset > 0).map((one) => ` .${range(one.loc)}`)
          const value = prop.exp ? ` =${range(prop.exp.loc)}` : ''
          lines.push(`directive ${range(prop.loc)} ${prop.rawName}${argument}${modifiers.join('')}${value}`)
        }
      }
      node.children.forEach(visit)
    } else if (node.type === 2) lines.push(`text ${range(node.loc)} ${JSON.stringify(node.content)}`)
    else if (node.type === 3) lines.push(`comment ${range(node.loc)}`)
    else if (node.type === 5) lines.push(`expression ${range(node.loc)} ${range(node.content.loc)}`)
  }
  tree.children.forEach(visit)
  const { descriptor } = sfc.parse(text, { sourceMap: false })
  const block = (one) => {
    if (!one) return
    const flags = [one.lang ?? '-', one.setup ? 'setup' : '-', one.scoped ? 'scoped' : '-', one.module ?? '-', one.src ?? '-']
    lines.push(`block ${one.type} ${range(one.loc)} ${flags.join(' ')}`)
  }
  if (errors.length === 0) {
    const blocks = [descriptor.template, descriptor.script, descriptor.scriptSetup, ...descriptor.styles]
    blocks.filter(Boolean).sort((a, b) => a.loc.start.offset - b.loc.start.offset).forEach(block)
  }
  return { errors, lines }
}

const paths = readFileSync(process.argv[3], 'utf8').split('\n').filter(Boolean)
for (const path of paths) {
  // The byte order mark is not part of the text.
  const text = readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  process.stdout.write(JSON.stringify({ path, ...describe(text) }) + '\n')
}
