// Whether the shop sends mail, as it was when the page came. Where it does not, mails are only kept for the author.
import { useRouteLoaderData } from 'react-router'
import type { loader } from './root.tsx'

export function useSendsMail(): boolean {
  return useRouteLoaderData<typeof loader>('root')?.sendsMail === true
}
