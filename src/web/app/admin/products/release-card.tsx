import { releaseRequest } from '#contract/delivery/editions.ts'
import type { ReleasesApi } from '#domains/delivery/releases.routes.ts'
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import { formatDay } from '#contract/intl.ts'
import { responseOf } from '../../../api.ts'
import { formatCount } from '../../../format.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { Field } from '../../../components/field.tsx'
import { adminClient } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'
import { DialogFormButton } from '../action-form.tsx'

const api = adminClient<ReleasesApi>().products[':id'].release

/** Not for what readers have already: they do not lose it again. */
export function ReleaseCard({ product }: { product: AdminProduct }) {
  const { release_on, is_released, preorders, awaited_by, sold, given, delivery_gap, format, editions } =
    product
  if (is_released && sold + given > 0) return null
  const needsFile = format === 'digital' && editions.length === 0
  return (
    <Card
      title="Release"
      action={!is_released && <Badge look="highlighted">pre-order</Badge>}
      contentClass="grid gap-4 px-5 py-4"
    >
      {is_released || !release_on ? (
        <p className="text-sm text-pretty text-soft">
          Give it a day, and it is a pre-order until then: paid at once, downloaded from that day on, and
          taken back by one click before it.
        </p>
      ) : (
        <>
          <p className="text-pretty">
            It comes out on <strong>{formatDay(release_on)}</strong>, as the day begins in the shop’s time
            zone. {orderedBy(preorders)} {awaitedBy(awaited_by)}
          </p>
          {(needsFile || delivery_gap) && (
            <p className="text-sm text-pretty text-danger">
              A file is missing. It is sold until the day all the same, and readers get their email once the
              file is there.
            </p>
          )}
        </>
      )}
      <p className="flex flex-wrap gap-3">
        <DayButton product={product} />
        {!is_released && <OutNow product={product} />}
      </p>
    </Card>
  )
}

const readers = (count: number) => (count === 1 ? 'one reader' : `${formatCount(count)} readers`)

function orderedBy(count: number): string {
  if (count === 0) return 'Nobody has ordered it yet.'
  return count === 1 ? 'One reader has ordered it.' : `${formatCount(count)} readers have ordered it.`
}

function awaitedBy(count: number): string {
  if (count === 0) return ''
  const who = count === 1 ? 'One visitor waits' : `${formatCount(count)} visitors wait`
  return `${who} for an email on the day.`
}

function DayButton({ product: { id, release_on, preorders, is_released } }: { product: AdminProduct }) {
  const isMoving = !is_released && release_on !== null
  const action = isMoving ? 'Move the day' : 'Set a day'
  return (
    <DialogFormButton
      button={{ look: 'outline', children: action }}
      title={isMoving ? 'Move the day of the release?' : 'When does it come out?'}
      about={
        isMoving && preorders > 0
          ? `An email goes to ${readers(preorders)}, with the new day and the way to take the order back.`
          : 'Card, receipt and payment page say the day.'
      }
      action={action}
      schema={releaseRequest}
      call={(json) => responseOf(api.$put({ param: { id }, json }))}
      done={{ title: 'Day saved', description: 'The page shows it now.' }}
      failed="Couldn’t save the day"
    >
      {(field) => (
        <Field
          label="Day"
          hint="Without a day, or with one that has begun, it is out at once."
          type="date"
          required={false}
          defaultValue={release_on ?? ''}
          {...field('release_on')}
        />
      )}
    </DialogFormButton>
  )
}

function OutNow({ product: { id, preorders } }: { product: AdminProduct }) {
  return (
    <CallButton
      label="Release it now"
      question={{ title: 'Release it now?', action: 'Release it' }}
      call={() => responseOf(api.$put({ param: { id }, json: { release_on: null } }))}
      done={{ title: 'It is out' }}
      failed="Couldn’t release it"
    >
      {preorders > 0
        ? `It can be downloaded at once, and an email goes to ${readers(preorders)}.`
        : 'It is sold as any other product from now on.'}
    </CallButton>
  )
}
