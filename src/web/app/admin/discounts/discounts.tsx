// The screen of discount codes.
import { useState } from 'react'
import { z } from 'zod'
import type { AdminProduct } from '#contract/catalog/products.ts'
import { newDiscount, type AdminDiscount } from '#contract/orders/discounts.ts'
import { currencySign, formatCalendarDay, formatCount } from '../../../format/format.tsx'
import { Button } from '../../../components/button.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import { manualPath } from '#contract/overview/manual.ts'
import { TextLink } from '../links.tsx'
import { useLastLoaded, adminClient, load, CallButton, useAdminCall } from '../calls.tsx'
import { PriceInput } from '../price-field.tsx'
import { Input, type FieldProps } from '../../schema-fields.tsx'
import { SchemaForm, type SentForm } from '../../schema-form.tsx'
import { useCurrency, useIsTestMode, useSaleMode } from '../../../shop.ts'
import { takesOff } from '#contract/orders/prices.ts'
import type { AdminDiscountsApi } from '#domains/orders/discounts.routes.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { responseOf } from '../../../api.ts'
import { Badge, Note } from '../../../components/note.tsx'
import { Gift } from '../../../components/icons.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import type { Route } from './+types/discounts.ts'
import { useFormatMoney } from '../../../format/money.tsx'

function NewDiscountForm({ products }: { products: readonly AdminProduct[] }) {
  const [, run] = useAdminCall()
  const currency = currencySign(useCurrency())
  const isFree = useSaleMode() === 'free'
  const [kind, setKind] = useState('percent')
  const offered = products
    .filter(({ archived_at }) => !archived_at)
    .map(({ id, name }) => ({ value: id, label: name }))
  async function create(json: z.output<ReturnType<typeof discountForm>>) {
    const result = await run(() => responseOf(api.discounts.$post({ json })), {
      done: {
        title: 'Code created',
        description: isFree ? 'It counts once the shop takes payments.' : 'It is valid from now on.',
      },
      failed: 'Couldn’t create the code',
    })
    if (result.isSaved) setKind('percent')
    return result
  }
  return (
    <Card title="Create a code">
      <p className="px-5 pt-4 text-sm text-pretty text-soft">
        Where the law fixes the price of books, as in Germany and France, codes for everybody may be
        forbidden, or limited to about 5%.{' '}
        <TextLink to={manualPath('discounts')}>Ask before you make one</TextLink>.
      </p>
      <SchemaForm
        schema={discountForm(kind)}
        className="p-5"
        button="Create code"
        busyButton="Saving..."
        send={create}
        fields={{
          code: {
            label: 'Code',
            hint: 'Letters, digits and hyphens. A short one can be guessed.',
            input: { maxLength: 30 },
            as: CodeInput,
          },
          kind: {
            label: 'Discount type',
            beside: 'always',
            options: [
              { value: 'percent', label: 'Percent' },
              { value: 'amount_off', label: `Amount (${currency})` },
            ],
            onType: setKind,
          },
          percent: kind === 'percent' && { label: 'Percent', beside: 'always', input: { type: 'text' } },
          amount_off: kind === 'amount_off' && { label: 'Amount', beside: 'always', as: PriceInput },
          product_id: { label: 'For', options: [{ value: '', label: 'All products' }, ...offered] },
          max_uses: { label: 'Uses', hint: 'Leave empty for no limit.', beside: 'wide' },
          ends_on: { label: 'Last day', hint: 'Leave empty for no end date.', beside: 'wide' },
        }}
      />
    </Card>
  )
}

function CodeInput(props: FieldProps<SentForm>) {
  const [code, setCode] = useState('')
  return (
    <>
      <div className="[&_input]:uppercase">
        <Input {...props} typed={code} onType={setCode} />
      </div>
      <Button
        look="quiet"
        className="mt-1 -ml-3 px-3 text-sm"
        onClick={() => {
          setCode(randomCode())
          props.form.markChanged()
        }}
      >
        Generate a code
      </Button>
    </>
  )
}

/** The set leaves out letters and digits that look alike; ten of these signs cannot be guessed. */
const signs = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

function randomCode(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) =>
    signs.charAt(byte % signs.length),
  ).join('')
}

/** The chosen kind of discount requires its term; the other one may be empty. */
export function discountForm(kind: string) {
  const { percent, amount_off } = newDiscount.shape
  return newDiscount.safeExtend({
    // It is not sent.
    kind: z.string().transform(() => undefined),
    percent: kind === 'percent' ? percent.unwrap() : percent,
    amount_off: kind === 'amount_off' ? amount_off.unwrap() : amount_off,
  })
}

const api = adminClient<AdminDiscountsApi>()
const productsApi = adminClient<AdminProductsApi>()

export function clientLoader() {
  return load('Failed to fetch the discount codes', async () => {
    const [discounts, products] = await Promise.all([
      responseOf(api.discounts.$get()),
      responseOf(productsApi.products.$get()),
    ])
    return { discounts, products }
  })
}

export default function Discounts({ loaderData }: Route.ComponentProps) {
  const result = useLastLoaded(loaderData)
  const isFree = useSaleMode() === 'free'
  const isTestMode = useIsTestMode()
  if (!result) return <LoadFailed card="Discount codes" title="The discount codes could not be loaded" />
  const { discounts, products } = result
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_23rem]">
      <Card title="Discount codes">
        {isFree && (
          <p className="border-b border-line px-5 py-4 text-pretty">
            Your shop gives the book away, so codes do nothing now, and no page asks for one. They count once
            you <TextLink to="/admin/settings/payments">take payments</TextLink>.
          </p>
        )}
        {discounts.length === 0 && (
          <Note icon={Gift} title="No codes yet">
            A code takes a percentage or an amount off the price.
            {!isFree && <span>{' Buyers enter it on the home page.'}</span>}
          </Note>
        )}
        {isTestMode && discounts.length > 0 && (
          <p className="border-b border-line px-5 py-4 text-sm text-pretty text-soft">
            What is bought with Stripe’s test key is not counted as a use.
          </p>
        )}
        <ul className="divide-y divide-line">
          {discounts.map((discount) => (
            <DiscountRow key={discount.id} discount={discount} />
          ))}
        </ul>
      </Card>
      <NewDiscountForm products={products} />
    </div>
  )
}

const stateLooks = {
  active: 'highlighted',
  paused: 'danger',
  used_up: 'toned',
  expired: 'plain',
  ended: 'plain',
} as const

function DiscountRow({ discount }: { discount: AdminDiscount }) {
  const formatMoney = useFormatMoney()
  const { id, code, state, uses, max_uses } = discount
  return (
    <li
      className={`flex flex-wrap items-center gap-x-6 gap-y-3 px-5 py-4 ${state === 'active' ? '' : 'text-soft'}`}
    >
      <div className="min-w-0 grow basis-64">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <span className="tracking-wide wrap-anywhere">{code}</span>
          <Badge look={stateLooks[state]}>{state.replace('_', ' ')}</Badge>
        </p>
        <p className="mt-0.5 text-sm wrap-anywhere text-soft tabular-nums">
          {takesOff(discount, formatMoney)} ·{' '}
          {max_uses === null
            ? `${formatCount(uses)} used`
            : `${formatCount(uses)} of ${formatCount(max_uses)} used`}
          {discountTerms(discount)}
        </p>
      </div>
      {state === 'paused' && (
        <CallButton
          label="Resume"
          busyLabel="One moment..."
          name={`Resume ${code}`}
          question={{ title: `Resume ${code}?`, action: 'Resume the code' }}
          call={() => api.discounts[':id'].resumed.$put({ param: { id } })}
          done={{ title: 'Code resumed', description: 'It can be used again.' }}
          failed="Couldn’t resume the code"
        >
          It leaves nothing to pay, so its uses since the backup that was restored are not known. Its count
          begins with {formatCount(uses)}.
        </CallButton>
      )}
      {state === 'active' && <CopyLink code={code} />}
      {state !== 'ended' && (
        <CallButton
          label="End"
          busyLabel="Ending..."
          name={`End ${code}`}
          question={{ title: `End ${code}?`, action: 'End the code', isDanger: true }}
          call={() => api.discounts[':id'].ended.$put({ param: { id } })}
          done={{ title: 'Code ended', description: 'What was bought with it stays as it is.' }}
          failed="Couldn’t end the code"
        >
          Nobody can use it after that. Past purchases stay as they are, and a payment in progress may still
          be completed.
        </CallButton>
      )}
    </li>
  )
}

function discountTerms({ product_name, ends_on }: AdminDiscount): string {
  const product = product_name ? ` · only ${product_name}` : ''
  return product + (ends_on ? ` · until ${formatCalendarDay(ends_on)}` : '')
}

function CopyLink({ code }: { code: string }) {
  return (
    <CopyButton
      label="Copy link"
      name={`Copy link with ${code}`}
      text={`${location.origin}/?code=${encodeURIComponent(code)}`}
      copied={{ title: 'Link copied', description: 'Whoever opens it sees the lower price.' }}
      notCopied={{
        title: 'Couldn’t copy',
        description: 'Your browser does not allow it here. Write the code into your text instead.',
      }}
    />
  )
}
