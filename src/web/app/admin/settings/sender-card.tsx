// The card that shows what the DNS of the sender’s domain says.
import { Suspense } from 'react'
import { Await, useRevalidator } from 'react-router'
import type { DnsRecord, SenderDns, SenderFinding } from '#contract/mail/mail-settings.ts'
import { Badge, type BadgeLook } from '../../../components/note.tsx'
import { Button } from '../../../components/button.tsx'
import { Bar, Card } from '../../card.tsx'

type SenderCardProps = {
  sender: Promise<SenderDns | undefined>
}

export function SenderCard({ sender }: SenderCardProps) {
  const { state, revalidate } = useRevalidator()
  return (
    <Card
      title="Your domain"
      action={
        <Button look="outline" disabled={state !== 'idle'} onClick={() => void revalidate()}>
          {state === 'idle' ? 'Check again' : 'Looking...'}
        </Button>
      }
    >
      <Suspense fallback={<Looking />}>
        <Await resolve={sender}>{(result) => <Findings found={result} />}</Await>
      </Suspense>
    </Card>
  )
}

function Looking() {
  return (
    <div className="grid gap-3 px-5 py-5" role="status">
      <p className="text-soft">Checking the domain’s records…</p>
      <Bar className="h-5 w-80" />
      <Bar className="h-5 w-64" />
    </div>
  )
}

function Findings({ found }: { found: SenderDns | undefined }) {
  if (!found) return <p className="px-5 py-5 text-soft">Couldn’t look up the records.</p>
  const { address, domain, findings } = found
  if (findings.length === 0)
    return (
      <p className="px-5 py-5 text-pretty text-soft">
        Emails come from <span className="break-all text-ink">{address}</span>, which is not an internet
        address. Enter the sender’s address above.
      </p>
    )
  return (
    <>
      <p className="max-w-prose px-5 pt-5 text-pretty text-soft">
        Mail providers ask {domain} who may send email in its name. Without these records, emails may land in
        spam. Changes of records may take some hours to be seen everywhere.
      </p>
      <ul className="mt-4 divide-y divide-line border-t border-line">
        {findings.map((finding) => (
          <Finding key={finding.topic} finding={finding} />
        ))}
      </ul>
    </>
  )
}

const states: Record<SenderFinding['state'], { label: string; look: BadgeLook }> = {
  good: { label: 'good', look: 'highlighted' },
  not_needed: { label: 'not needed', look: 'plain' },
  missing: { label: 'missing', look: 'danger' },
  wrong: { label: 'wrong', look: 'danger' },
  unclear: { label: 'unclear', look: 'toned' },
}

function Finding({ finding: { topic, state, explanation, found, expected } }: { finding: SenderFinding }) {
  const { label, look } = states[state]
  return (
    <li className="grid gap-3 px-5 py-4">
      <p className="flex items-center gap-3">
        <span className="font-semibold">{topic}</span>
        <Badge look={look}>{label}</Badge>
      </p>
      <p className="max-w-prose text-pretty break-words">{explanation}</p>
      {expected.length > 0 && <Records title="What should be there" records={expected} />}
      {found.length > 0 && <Records title="What is there now" records={found} />}
    </li>
  )
}

function Records({ title, records }: { title: string; records: readonly DnsRecord[] }) {
  return (
    <div className="text-sm">
      <p className="text-soft">{title}:</p>
      <ul className="mt-1.5 grid gap-2">
        {records.map(({ type, name, value }) => (
          <li key={`${name} ${value}`} className="rounded-md bg-ink/5 px-3 py-2">
            <p className="break-all">
              <span className="text-soft">{type}</span> {name}
            </p>
            <code className="break-all">{value}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}
