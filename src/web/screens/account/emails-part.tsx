import { accountTexts } from '#words/account.ts'
import type { OwnAccount } from '#features/accounts/contract/own-account.ts'
import { Card } from '../../components/card.tsx'
import { fillParts } from '../../fill-parts.tsx'

/** No kind of email may be turned off: each belongs to a purchase or guards the account. */
export function EmailsPart({ account }: { account: OwnAccount }) {
  const { title, purchases, account: ofAccount, only, sentTo } = accountTexts.emails
  return (
    <Card title={title} contentClass="grid gap-3 p-5 text-pretty">
      <ul className="grid list-disc gap-1 ps-5">
        <li>{purchases}</li>
        <li>{ofAccount}</li>
      </ul>
      <p className="text-soft">
        {only}{' '}
        {fillParts(sentTo, {
          email: <strong className="font-semibold break-words text-ink">{account.email}</strong>,
        })}
      </p>
    </Card>
  )
}
