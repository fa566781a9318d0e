// The addresses that the screens of this place had before, as in bookmarks and emails.
import { redirect } from 'react-router'
import type { Route } from './+types/moved.ts'

const former: Record<string, string> = {
  '/admin/settings/mail': '/admin/mails/settings',
  '/admin/settings/emails': '/admin/mails/to-you',
}

export function clientLoader({ params, request }: Route.ClientLoaderArgs) {
  const { pathname, searchParams } = new URL(request.url)
  if (searchParams.get('status') === 'kept') searchParams.set('status', 'unsent')
  searchParams.delete('after')
  const path = former[pathname] ?? (params.id ? `/admin/mails/${params.id}` : '/admin/mails')
  throw redirect(`${path}${searchParams.size > 0 ? `?${searchParams}` : ''}`)
}

export default function Moved() {
  return null
}
