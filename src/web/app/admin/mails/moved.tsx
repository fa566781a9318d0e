// The addresses that the list had before, as in bookmarks.
import { redirect } from 'react-router'
import type { Route } from './+types/moved.ts'

export function clientLoader({ params, request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url)
  if (searchParams.get('status') === 'kept') searchParams.set('status', 'unsent')
  searchParams.delete('after')
  const id = params.id ? `/${params.id}` : ''
  throw redirect(`/admin/mails${id}${searchParams.size > 0 ? `?${searchParams}` : ''}`)
}

export default function Moved() {
  return null
}
