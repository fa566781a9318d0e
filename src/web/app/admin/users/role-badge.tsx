import type { Role } from '#contract/accounts/accounts.ts'
import { Badge } from '../../../components/note.tsx'

export function RoleBadge({ roles }: { roles: readonly Role[] }) {
  if (roles.includes('admin')) return <Badge look="highlighted">Admin</Badge>
  return <Badge>{roles.includes('moderator') ? 'Moderator' : 'User'}</Badge>
}
