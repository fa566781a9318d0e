import { createElement } from 'react'

export function Id({ children }: { children: string }) {
  const [first, ...others] = children.split('-')
  const parts = others.flatMap((part) => ['-', createElement('wbr'), part])
  return createElement('span', { className: 'break-words' }, first, ...parts)
}
