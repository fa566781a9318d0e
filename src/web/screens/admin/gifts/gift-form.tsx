import { useState } from 'react'
import { z } from 'zod'
import type { AdminDiscount } from '#contract/orders/discounts.ts'
import { giftRequest, maxRecipients, type GiftCheck, type GiftRequest } from '#contract/delivery/gifts.ts'
import type { GiftsApi } from '#domains/delivery/grants.routes.ts'
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import { responseOf } from '../../../api.ts'
import { useCheckedForm } from '../../../use-checked-form.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { TextField } from '../../../components/field.tsx'
import { SelectField } from '../../../components/select-field.tsx'
import { useFormatMoney } from '../../../money.tsx'
import { takesOff } from '#contract/orders/discounted-price.ts'
import { ListFile } from './list-file.tsx'
import { adminClient } from '../admin-client.ts'
import { useAdminCall } from '../use-admin-call.ts'

const api = adminClient<GiftsApi>()

/** `present` is a kind and an id. */
export const giftForm = z.object({
  ...giftRequest.shape,
  present: z.string(),
  list: giftRequest.shape.list.refine((list) => list.trim() !== '', 'Please fill in this field.'),
})

type GiftFormProps = {
  products: readonly AdminProduct[]
  codes: readonly AdminDiscount[]
  onChecked: (checked: { request: GiftRequest; check: GiftCheck }) => void
}

export function GiftForm({ products, codes, onChecked }: GiftFormProps) {
  const formatMoney = useFormatMoney()
  const [isBusy, run] = useAdminCall()
  const { form, field, markChanged, check } = useCheckedForm(giftForm, isBusy)
  const [list, setList] = useState('')

  const submit = check(({ present, ...values }) => {
    const request = { ...values, present: presentOf(present) }
    const checkList = async () =>
      onChecked({ request, check: await responseOf(api.gifts.check.$post({ json: request })) })
    void run(checkList, { failed: 'Couldn’t check the list' })
  })
  return (
    <Card title="Give a free copy, or a code">
      <form ref={form} noValidate className="p-5" onInput={markChanged} onSubmit={submit}>
        <fieldset disabled={isBusy} className="grid gap-5">
          <SelectField label="What" name="present" options={presentsOf(products, codes, formatMoney)} />
          <TextField
            label="To"
            hint={`One address a line, or a table with the columns email and name; ${maxRecipients} addresses at most. Nobody gets the same twice.`}
            rows={6}
            spellCheck={false}
            value={list}
            onChange={({ target }) => setList(target.value)}
            {...field('list')}
          />
          <ListFile
            isReplacing={list.trim() !== ''}
            onText={(text) => {
              setList(text)
              markChanged()
            }}
          />
          <TextField
            label="Your words (optional)"
            hint="Shown at the top of the email."
            rows={4}
            required={false}
            {...field('message')}
          />
          <p>
            <Button type="submit">{isBusy ? 'Checking...' : 'Preview the email'}</Button>
          </p>
        </fieldset>
      </form>
    </Card>
  )
}

function presentsOf(
  products: readonly AdminProduct[],
  codes: readonly AdminDiscount[],
  formatMoney: (amount: number) => string,
) {
  const deliverable = products.filter(({ delivery_gap, archived_at }) => !delivery_gap && !archived_at)
  return [
    ...deliverable.map(({ id, name }) => ({ value: `copy:${id}`, label: `A free copy: ${name}` })),
    ...codes.map(({ id, code, ...terms }) => ({
      value: `code:${id}`,
      label: `A code: ${code}, ${takesOff(terms, formatMoney)}`,
    })),
  ]
}

function presentOf(choice: string): GiftRequest['present'] {
  const [kind, id = ''] = choice.split(':')
  return kind === 'code' ? { kind, code_id: id } : { kind: 'copy', product_id: id }
}
