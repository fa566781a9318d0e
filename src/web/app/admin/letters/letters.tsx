// The screen that lists who gets the author's letters, and who has left.
import {
  subscriberSources,
  type SubscriberQuery,
  type SubscriberRow,
  type SubscriberSource,
} from '#contract/mail/subscribers.ts'
import type { SubscribersApi } from '#domains/readers/letters.routes.ts'
import { responseOf } from '../../../api.ts'
import { formatCount, formatDate } from '../../../format/format.tsx'
import { Mail } from '../../../components/icons.tsx'
import { Badge } from '../../../components/note.tsx'
import { adminClient, CallButton } from '../calls.tsx'
import { TextLink } from '../links.tsx'
import { defineList, ListScreen } from '../list-screen.tsx'
import { EmailAddress } from '../cells.tsx'
import { readableAddress } from '../readable-address.ts'
import type { Route } from './+types/letters.ts'

const api = adminClient<SubscribersApi>('End all')

const sourceNames: Record<SubscriberSource, string> = {
  order: 'at an order',
  letters: 'on the page of the letters',
  account: 'in the account',
  excerpt: 'with the excerpt',
}

const list = defineList({
  title: 'Letters',
  load: (query: SubscriberQuery) => responseOf(api.subscribers.$get({ query })),
  failed: 'Failed to fetch the list of letters',
  notLoaded: 'The list of letters could not be loaded',
  filters: [
    {
      label: 'State',
      name: 'status',
      all: 'All',
      options: [
        { value: 'confirmed', label: 'On the list' },
        { value: 'ended', label: 'Left' },
      ],
    },
  ],
  exported: () => ({ list: 'subscribers' }),
  empty: {
    icon: Mail,
    title: 'Nobody on the list yet',
    text: 'Who ticks the box at an order or enters an address at /letters is here once the address is confirmed.',
  },
  emptySearch: { title: 'Nobody found' },
  about: ({ counts }) => <Counts counts={counts} />,
  rowKey: ({ id }) => id,
  columns: [
    {
      title: 'Address',
      cell: ({ email, ended_at }) => (
        <span className="grid min-w-0 justify-items-start gap-1 max-sm:justify-items-end">
          <span className="max-w-full wrap-anywhere">
            <EmailAddress>{readableAddress(email)}</EmailAddress>
          </span>
          {ended_at && <Badge>left</Badge>}
        </span>
      ),
    },
    { title: 'Agreed', cell: ({ source }) => sourceNames[source] },
    { title: 'Confirmed', isOneLine: true, cell: ({ confirmed_at }) => formatDate(confirmed_at) },
    { title: 'Left', isOneLine: true, cell: ({ ended_at }) => (ended_at ? formatDate(ended_at) : '–') },
    { title: '', cell: (row) => <Actions row={row} /> },
  ],
})

export const clientLoader = list.clientLoader

function Counts({ counts }: { counts: Record<SubscriberSource, number> }) {
  const shown = subscriberSources.filter((source) => counts[source] > 0)
  const total = shown.reduce((sum, source) => sum + counts[source], 0)
  const bySource = shown.map((source) => `${formatCount(counts[source])} ${sourceNames[source]}`).join(', ')
  return (
    <p className="px-5 py-3 text-sm text-pretty text-soft">
      {`${formatCount(total)} on the list${bySource && ` (${bySource})`}. Who leaves in your mail program is ended here, too, before the next CSV. The CSV has what each agreed to.`}
    </p>
  )
}

function Actions({ row: { id, email, ended_at } }: { row: SubscriberRow }) {
  const param = { id }
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {!ended_at && (
        <CallButton
          label="End"
          name={`End the letters to ${email}`}
          call={() => responseOf(api.subscribers[':id'].end.$post({ param }))}
          done={{ title: 'Ended', description: `${email} gets no letters any more.` }}
          failed="Couldn’t end it"
          question={{ title: `End the letters to ${email}?`, action: 'End' }}
        >
          What was agreed to stays for three years, as proof.
        </CallButton>
      )}
      <CallButton
        label="Delete"
        look="quiet"
        name={`Delete ${email} from the list`}
        call={() => responseOf(api.subscribers[':id'].$delete({ param }))}
        done={{ title: 'Deleted', description: `Nothing of ${email} is on the list any more.` }}
        failed="Couldn’t delete it"
        question={{ title: `Delete ${email} from the list?`, action: 'Delete', isDanger: true }}
      >
        The proof of the consent is deleted, too.
      </CallButton>
    </span>
  )
}

export default function Letters({ loaderData: page }: Route.ComponentProps) {
  const isAny = page && subscriberSources.some((source) => page.counts[source] > 0)
  return (
    <ListScreen list={list} page={page}>
      <p className="flex flex-wrap items-center justify-between gap-3 text-sm">
        <span className="flex flex-wrap gap-x-5 gap-y-1">
          <TextLink to="/admin/settings/letters">What readers agree to</TextLink>
          <TextLink to="/admin/settings/webhook">Send it to your mail program</TextLink>
        </span>
        {isAny && (
          <CallButton
            label="End all"
            call={() => responseOf(api.subscribers.end.$post())}
            done={({ ended }) => ({
              title: 'All ended',
              description: `${formatCount(ended)} have left the list.`,
            })}
            failed="Couldn’t end them"
            question={{ title: 'End all letters?', action: 'End all', isDanger: true }}
          >
            Everybody has left the list then, and has to confirm anew to get letters again. This cannot be
            undone.
          </CallButton>
        )}
      </p>
    </ListScreen>
  )
}
