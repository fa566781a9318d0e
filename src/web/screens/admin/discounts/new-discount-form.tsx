import { useState } from 'react'
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import { newDiscount, type NewDiscount } from '#contract/orders/discounts.ts'
import { currencySign } from '../../../format.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ActionForm } from '../action-form.tsx'
import { Field } from '../../../components/field.tsx'
import { SelectField } from '../../../components/select-field.tsx'
import { PriceField } from '../price-field.tsx'
import { useActionForm, type FormResult } from '../../../use-action-form.ts'
import { useCurrency } from '../../../shop.ts'

type NewDiscountFormProps = { products: readonly AdminProduct[]; result: FormResult | undefined }

export function NewDiscountForm({ products, result }: NewDiscountFormProps) {
  const state = useActionForm<NewDiscount>(result, { isEmptied: true })
  const { field, markChanged } = state
  const currency = useCurrency()
  const amountLabel = `Amount (${currencySign(currency)})`
  const [isPercent, setIsPercent] = useState(true)
  const [code, setCode] = useState('')
  const offered = products
    .filter(({ archived_at }) => !archived_at)
    .map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Card title="Create a code">
      <ActionForm
        state={state}
        button="Create code"
        busyButton="Saving..."
        onReset={() => {
          setCode('')
          setIsPercent(true)
        }}
      >
        <div>
          <Field
            label="Code"
            hint="Letters, digits and hyphens. A short one can be guessed."
            autoComplete="off"
            maxLength={30}
            className="mt-1.5 block w-full rounded-md border border-edge bg-surface px-3.5 py-2.5 uppercase disabled:opacity-60 aria-invalid:border-danger"
            value={code}
            onChange={({ target }) => setCode(target.value)}
            {...field('code')}
          />
          <Button
            look="quiet"
            className="mt-1 -ml-3 px-3 text-sm"
            onClick={() => {
              setCode(randomCode())
              markChanged()
            }}
          >
            Generate a code
          </Button>
        </div>
        <div className="grid grid-cols-2 gap-5">
          <SelectField
            label="Discount type"
            options={[
              { value: 'percent', label: 'Percent' },
              { value: 'amount_off', label: amountLabel },
            ]}
            value={isPercent ? 'percent' : 'amount_off'}
            onChange={({ target }) => setIsPercent(target.value === 'percent')}
          />
          {isPercent ? (
            <Field label="Percent" inputMode="numeric" autoComplete="off" {...field('percent')} />
          ) : (
            <PriceField currency={currency} label={amountLabel} {...field('amount_off')} />
          )}
        </div>
        <SelectField
          label="For"
          options={[{ value: '', label: 'Every product' }, ...offered]}
          {...field('product_id')}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            label="Uses"
            hint="Leave empty for no limit."
            type="number"
            inputMode="numeric"
            min="1"
            step="1"
            required={false}
            {...field('max_uses')}
          />
          <Field
            label="Last day"
            hint="Leave empty for no end date."
            type="date"
            required={false}
            {...field('ends_on')}
          />
        </div>
      </ActionForm>
    </Card>
  )
}

/** Without letters and digits that look alike; ten of them cannot be guessed. */
const signs = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

function randomCode(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) =>
    signs.charAt(byte % signs.length),
  ).join('')
}

export function discountForm(isPercent: boolean) {
  const { percent, amount_off } = newDiscount.shape
  return isPercent
    ? newDiscount.safeExtend({ percent: percent.unwrap() })
    : newDiscount.safeExtend({ amount_off: amount_off.unwrap() })
}
