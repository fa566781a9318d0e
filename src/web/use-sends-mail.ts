import { useRouteLoaderData } from 'react-router'
import type { loader } from './root.tsx'

export function useSendsMail(): boolean {
  return useRouteLoaderData<typeof loader>('root')?.sendsMail === true
}
