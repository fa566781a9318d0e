import { useRouteLoaderData } from 'react-router'
import type { ShownBook } from '#features/book/contract/shown-book.ts'
import type { loader } from './root.tsx'

export function useBook(): ShownBook {
  const root = useRouteLoaderData<typeof loader>('root')
  if (!root) throw new Error('This is shown outside of the site.')
  return root.book
}
