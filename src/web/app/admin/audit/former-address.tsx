// The former address of the sign-ins leads to their list in the log.
import { redirect } from 'react-router'
import type { Route } from './+types/former-address.ts'

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return redirect(`/admin/audit/sign-ins${new URL(request.url).search}`)
}

export default function FormerAddress() {
  return null
}
