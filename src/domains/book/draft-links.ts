// The draft’s page is shown in a frame, which can send no header: its address is signed for the session that asked.
import { z } from 'zod'
import type { Services } from '#platform/services.ts'
import { platformProblem } from '#platform/problem.ts'
import type { AccountsShop } from '#domains/accounts/shop.ts'
import { readLink, writeLink } from '#platform/signed-links.ts'
import type { SignedInUser } from '#platform/http/route.ts'

export async function writeDraftLink(
  services: Pick<Services, 'secret' | 'clock'>,
  { id: user_id, session_id }: SignedInUser,
): Promise<string> {
  return `/api/drafts/${writeLink(services, 'drafts', { user_id, session_id }, {})}`
}

export async function requireDraftLink(services: AccountsShop, token: string): Promise<void> {
  const { holder } = await readLink(services, 'drafts', token, z.object({}))
  if (!holder.is_admin) throw platformProblem('access.forbidden')
}
