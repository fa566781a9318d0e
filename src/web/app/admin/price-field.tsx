// An amount of money, as people type it, and beside it what the shop understands. The form gets that amount by the field's name.
import { currencyCodes, currencyName } from '#contract/stripe.ts'
import { useEffect, useRef, useState, type ChangeEvent, type ComponentProps } from 'react'
import { currencySign, formatMoney } from '../../format/format.tsx'
import { useCurrency } from '../../shop.ts'
import type { FieldProps } from '../schema-fields.tsx'
import { Field } from '../../components/field.tsx'
import { readTypedAmount } from './typed-amount.ts'

type PriceFieldProps = Omit<ComponentProps<typeof Field>, 'type' | 'inputMode' | 'value' | 'defaultValue'> & {
  currency: string
  /** The typed text, where the screen holds it. */
  value?: string
  defaultValue?: string | undefined
}

export function PriceField(props: PriceFieldProps) {
  const { currency, name, value, defaultValue = '', problem, onChange, ...rest } = props
  const sent = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(defaultValue)
  const [isLeft, setIsLeft] = useState(true)
  useEffect(() => {
    const form = sent.current?.form
    const reset = () => setTyped(defaultValue)
    form?.addEventListener('reset', reset)
    return () => form?.removeEventListener('reset', reset)
  }, [defaultValue])
  const text = value ?? typed
  const amount = readTypedAmount(text, currency)
  // "1,200" may become "1,200.00": while it is typed, it is not wrong yet.
  const isShownAsProblem = amount?.problem !== undefined && (isLeft || problem !== undefined)
  return (
    <div>
      <Field
        inputMode="decimal"
        autoComplete="off"
        {...rest}
        value={text}
        problem={isShownAsProblem ? amount.problem : problem}
        onBlur={() => setIsLeft(true)}
        onInput={({ currentTarget }) => {
          // The hidden field changes before the form reads its fields in its own `onInput`.
          if (sent.current) sent.current.value = toSent(currentTarget.value, currency)
        }}
        onChange={(event: ChangeEvent<HTMLInputElement>) => {
          setTyped(event.currentTarget.value)
          setIsLeft(false)
          onChange?.(event)
        }}
      />
      {name && <input type="hidden" ref={sent} name={name} value={toSent(text, currency)} />}
      <output className="mt-1.5 block text-sm tabular-nums empty:mt-0">
        {!isShownAsProblem && text !== defaultValue && understood(amount, currency)}
      </output>
    </div>
  )
}

/** A price as the input of a described field. */
export function PriceInput({ path, form, label, hint }: FieldProps) {
  const currency = useCurrency()
  return (
    <PriceField
      currency={currency}
      label={`${label} (${currencySign(currency)})`}
      name={path}
      hint={hint}
      problem={form.problems?.[path]}
    />
  )
}

/** Empty where nothing is typed, "NaN" where it is not understood: both are refused where an amount is required. */
export function toSent(text: string, currency: string): string {
  const amount = readTypedAmount(text, currency)
  return amount ? String(amount.amount ?? Number.NaN) : ''
}

/**
 * Reads the price that was sent. It is `NaN` where nothing is typed, or nothing that is understood: an empty price is
 * not free.
 */
export function readPrice(sent: string): number {
  return sent.trim() ? Number(sent) : Number.NaN
}

function understood(amount: ReturnType<typeof readTypedAmount>, currency: string): string | undefined {
  return amount?.amount === undefined ? amount?.problem : formatMoney(amount.amount, currency)
}

export function currencyOptions(): { value: string; label: string }[] {
  return currencyCodes
    .map((value) => ({ value, label: `${currencyName(value)} (${value.toUpperCase()})` }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en-US'))
}
