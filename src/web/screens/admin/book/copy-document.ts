/** Copies objects and lists; texts, which may be megabytes, are shared. */
export function copyDocument<Node extends object>(node: Node): Node {
  const copy = Object.assign(Array.isArray(node) ? [] : {}, node)
  for (const [key, value] of Object.entries(copy))
    if (typeof value === 'object' && value !== null) Reflect.set(copy, key, copyDocument(value))
  return copy
}
