import { useId, useState } from 'react'
import type { GrantCheck, GrantOutcome } from '#contract/delivery/grants.ts'
import { formatCount } from '../../../format.tsx'
import { Callout, Badge } from '../../../components/note.tsx'
import { readableAddress } from '../links.tsx'
import { toast } from '../../../toasts.tsx'
import { buttonClass } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'

export type OutcomeLabels = Record<GrantOutcome, string>

export const notMailedLabels = {
  given_before: 'got it before',
  has_it: 'has it already',
  sold_out: 'sold out',
  limited: 'too many today',
  failed: 'failed',
} as const

type ListedRecipients = { recipients: GrantCheck['recipients']; labels: OutcomeLabels }

const firstShown = 20

export function Recipients({ recipients, labels }: ListedRecipients) {
  const id = useId()
  const rest = recipients.slice(firstShown)
  return (
    <section aria-labelledby={id} className="min-w-0">
      <p id={id} className="font-semibold">
        Recipients
      </p>
      {recipients.length === 0 && <p className="mt-2 text-sm text-soft">There is no address in the list.</p>}
      <List recipients={recipients.slice(0, firstShown)} labels={labels} />
      {rest.length > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer rounded-sm text-sm">And {formatCount(rest.length)} more</summary>
          <List recipients={rest} labels={labels} />
        </details>
      )}
    </section>
  )
}

function List({ recipients, labels }: ListedRecipients) {
  return (
    <ul className="mt-2 divide-y divide-line rounded-md border border-line empty:hidden">
      {recipients.map(({ email, name, outcome }) => (
        <li
          key={email}
          className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-2 text-sm"
        >
          <span className="min-w-0 wrap-anywhere">
            {readableAddress(email)}
            {name && <span className="text-soft"> · {name}</span>}
          </span>
          <Badge look={looks[outcome]}>{labels[outcome]}</Badge>
        </li>
      ))}
    </ul>
  )
}

const looks = {
  new: 'highlighted',
  mailed_again: 'highlighted',
  given_before: 'plain',
  has_it: 'plain',
  sold_out: 'danger',
  limited: 'danger',
  failed: 'danger',
} as const satisfies Record<GrantOutcome, string>

export function BadRows({ rows }: { rows: GrantCheck['bad_rows'] }) {
  if (rows.length === 0) return null
  return (
    <Callout role="region" aria-label="Left out">
      <p className="font-semibold">
        {rows.length === 1 ? '1 entry is left out' : `${formatCount(rows.length)} entries are left out`}
      </p>
      <ul className="mt-1">
        {rows.map(({ line, text, reason }) => (
          <li key={`${line} ${text}`} className="wrap-anywhere">
            Line {line}: {reason} <span className="text-soft">{text}</span>
          </li>
        ))}
      </ul>
    </Callout>
  )
}

export const countEmails = (count: number) => (count === 1 ? '1 email' : `${formatCount(count)} emails`)

/** Excel writes CSV in the system's own encoding, which in most of the West is Windows-1252, and "Unicode text" as UTF-16. */
export function readListText(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  if (isUtf16) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Bytes; a list of 500 addresses is smaller. */
const largest = 200_000

type ListFileProps = {
  isReplacing: boolean
  onText: (text: string) => void
}

export function ListFile({ isReplacing, onText }: ListFileProps) {
  const id = useId()
  const [waiting, setWaiting] = useState<string>()
  async function read(file: File) {
    if (file.size > largest) return toast(tooLarge)
    const text = readListText(new Uint8Array(await file.arrayBuffer()))
    if (isReplacing) setWaiting(text)
    else onText(text)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        className="peer sr-only"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void read(file)
          // The same one may be chosen again.
          target.value = ''
        }}
      />
      <label
        htmlFor={id}
        className={buttonClass(
          'outline',
          'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-focus',
        )}
      >
        Take the list from a CSV file
      </label>
      <span className="text-sm text-soft">As a spreadsheet saves it.</span>
      {waiting !== undefined && (
        <Confirm
          title="Replace the list?"
          action="Replace it"
          onClose={() => setWaiting(undefined)}
          onConfirm={() => {
            onText(waiting)
            setWaiting(undefined)
          }}
        >
          The file replaces what is under “To”.
        </Confirm>
      )}
    </div>
  )
}

const tooLarge = {
  title: 'File too large',
  description: 'A list has 500 addresses at most. Please split the file.',
  destructive: true,
}
