import type { GrantsApi } from '#domains/delivery/gifts.routes.ts'
import { maxListedGrants, type Grant } from '#contract/delivery/grants.ts'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { Gift as GiftIcon } from '../../../components/icons.tsx'
import { Note } from '../../../components/note.tsx'
import { formatMoment } from '../../../format.tsx'
import { adminClient } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'
import { NameLink, readableAddress, TextLink } from '../links.tsx'

const api = adminClient<GrantsApi>()

export function GiftList({ gifts }: { gifts: readonly Grant[] }) {
  return (
    <Card title="Given so far">
      {gifts.length === 0 && (
        <Note icon={GiftIcon} title="Nothing given yet">
          Copies for reviewers, early readers and friends appear here.
        </Note>
      )}
      <ul className="divide-y divide-line">
        {gifts.map((gift) => (
          <GiftRow key={gift.id} gift={gift} />
        ))}
      </ul>
      {gifts.length === maxListedGrants && (
        <p className="border-t border-line px-5 py-3 text-sm text-soft">
          The newest {maxListedGrants} are shown. The <TextLink to="/admin/audit">log</TextLink> has all of
          them.
        </p>
      )}
    </Card>
  )
}

function GiftRow({ gift }: { gift: Grant }) {
  const { email, present, kind, purchase_id, created_at, opened_at } = gift
  const address = readableAddress(email) || 'Erased account'
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 text-sm">
      <span className="min-w-0 grow basis-52 font-semibold wrap-anywhere">
        {purchase_id ? <NameLink to={`/admin/purchases/${purchase_id}`}>{address}</NameLink> : address}
      </span>
      <span className="min-w-0 grow basis-52 wrap-anywhere text-soft">{present}</span>
      <Badge>{kind === 'copy' ? 'free copy' : 'code'}</Badge>
      <span className="text-soft tabular-nums">{formatMoment(created_at)}</span>
      {kind === 'copy' && (
        <span className="basis-full text-soft tabular-nums sm:basis-44">
          {opened_at ? `Opened ${formatMoment(opened_at)}` : 'Not opened yet'}
        </span>
      )}
      {kind === 'copy' && !opened_at && <TakeBack gift={gift} address={address} />}
    </li>
  )
}

function TakeBack({ gift: { id, present }, address }: { gift: Grant; address: string }) {
  return (
    <CallButton
      label="Take back"
      busyLabel="One moment..."
      name={`Take back from ${address}`}
      question={{ title: 'Take the copy back?', action: 'Take it back', isDanger: true }}
      call={() => api.gifts[':id'].$delete({ param: { id } })}
      done={{ title: 'Copy taken back', description: 'It can be given to somebody else.' }}
      failed="Couldn’t take it back"
    >
      {address} does not get {present} any more, and the link in the email opens nothing. If it is a printed
      copy whose stock is counted, it is in stock again.
    </CallButton>
  )
}
