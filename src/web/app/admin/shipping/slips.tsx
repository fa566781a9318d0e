// The screen that prints packing slips.
import { ArrowLeft, Printer } from '../../../components/further-icons.tsx'
import { useEffect } from 'react'
import { responseOf } from '../../../api.ts'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import { Note } from '../../../components/note.tsx'
import type { ShipmentsApi } from '#domains/orders/shipments.routes.ts'
import { adminClient, load } from '../calls.tsx'
import { readDraft } from '../book/draft.ts'
import { Slip } from './slip.tsx'
import type { Route } from './+types/slips.ts'

const api = adminClient<ShipmentsApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const ids = new URL(request.url).searchParams.get('ids')
  if (!ids) return { parcels: [], texts: { thanks: '', questions: '' } }
  return load('Failed to fetch shipments', async () => {
    const [parcels, { published }] = await Promise.all([
      responseOf(api.shipments.slips.$get({ query: { ids } })),
      readDraft(),
    ])
    return { parcels, texts: published.packing_slip }
  })
}

export default function Slips({ loaderData }: Route.ComponentProps) {
  const { parcels, texts } = loaderData ?? {}
  usePaper()
  return (
    <div className="grid gap-6 print:block">
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <ButtonLink to="/admin/shipping" look="quiet" className="-ml-3 px-3!">
          <ArrowLeft aria-hidden className="size-4.5" />
          To ship
        </ButtonLink>
        {parcels && parcels.length > 0 && (
          <Button onClick={() => print()}>
            <Printer aria-hidden className="size-4.5" />
            Print {parcels.length === 1 ? '1 slip' : `${parcels.length} slips`}
          </Button>
        )}
      </div>
      {!parcels && <LoadFailed card="Packing slips" title="The slips could not be loaded" />}
      {parcels?.length === 0 && (
        <Card title="Packing slips">
          <Note icon={Printer} title="Nothing to print">
            Choose some parcels in the list first.
          </Note>
        </Card>
      )}
      {texts && parcels?.map((parcel) => <Slip key={parcel.purchase_id} parcel={parcel} texts={texts} />)}
    </div>
  )
}

/** Keeps what is around the slips out of print while they are shown. */
function usePaper() {
  useEffect(() => {
    document.documentElement.setAttribute('data-paper', '')
    return () => document.documentElement.removeAttribute('data-paper')
  }, [])
}
