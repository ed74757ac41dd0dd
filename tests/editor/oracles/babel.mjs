// The JSX elements of a text, as Babel reads it.
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

const require = createRequire(resolve(process.argv[2], 'package.json'))
const { parse } = require('@babel/parser')

/** `{ name, start, end, opening, line, column, insert }` of every element in source order; `insert` is behind name and type arguments. */
export function elements(text, path) {
  const plugins = ['jsx', 'decorators']
  // Type assertions in angle brackets and JSX exclude each other; files with JSX have none.
  if (/\.[cm]?tsx?$/.test(path)) plugins.push('typescript')
  const { program } = parse(text, { sourceType: 'unambiguous', plugins })
  const found = []
  const open = [program]
  while (open.length > 0) {
    const node = open.pop()
    if (node.type === 'JSXElement') {
      const { name, typeParameters, typeArguments, end, loc } = node.openingElement
      const insert = (typeArguments ?? typeParameters ?? name).end
      const { line, column } = loc.start
      found.push({ name: text.slice(name.start, name.end), start: node.start, end: node.end, opening: end, line, column, insert })
    }
    for (const key in node) {
      const value = node[key]
      if (key === 'loc' || key.endsWith('Comments') || value === null || typeof value !== 'object') continue
      if (Array.isArray(value)) for (const each of value) each?.type && open.push(each)
      else if (value.type) open.push(value)
    }
  }
  return found.sort((one, other) => one.start - other.start)
}
