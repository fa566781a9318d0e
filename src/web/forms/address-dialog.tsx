// The dialog in which a postal address is entered.
import { addressTexts } from '#words/buying.ts'
import { fill } from '#words/texts.ts'
import { useState, type ReactNode } from 'react'
import { readAddress } from './address-form.ts'
import {
  type PostalAddress,
  countryName,
  needsPostalCode,
  needsState,
  usStateCode,
  usStates,
} from '#contract/orders/postal.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import { byBrowser } from './browser-validation.ts'
import { useForm, type FormResult } from './form.ts'
import { Button } from '../components/button.tsx'
import { CancelButton, Dialog } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { SelectField } from '../components/further-fields.tsx'

type AddressDialogProps = {
  title: string
  action: string
  countries: readonly string[]
  address?: PostalAddress | null | undefined
  /** The problems that a step after this dialog has found. */
  refused?: FieldProblems | undefined
  /** `form`: all that was entered, also in what stands before the buttons. */
  send: (address: PostalAddress, form: FormData) => Promise<FormResult | void> | void
  onClose: () => void
  renderSum?: ((country: string) => ReactNode) | undefined
  beforeButtons?: ReactNode
  children?: ReactNode
}

export default function AddressDialog(props: AddressDialogProps) {
  const { title, action, countries, address, refused, send, onClose, renderSum, beforeButtons, children } =
    props
  const [country, setCountry] = useState(address?.country || countries[0] || 'US')
  const { form, isBusy, problems } = useForm(check, (entered) => send(readAddress(entered), entered), {
    refused,
    asksBeforeLeaving: true,
  })
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      {children && <div className="mt-2 text-pretty text-soft">{children}</div>}
      <form {...form} className="mt-5 grid gap-6">
        <AddressFields
          countries={countries}
          country={country}
          onCountry={setCountry}
          address={address}
          problems={problems}
        />
        {renderSum?.(country)}
        {beforeButtons}
        <p className="flex flex-wrap justify-end gap-3">
          <CancelButton disabled={isBusy} />
          <Button type="submit" disabled={isBusy}>
            {action}
          </Button>
        </p>
      </form>
    </Dialog>
  )
}

const check = byBrowser()

type AddressFieldsProps = {
  /** ISO 3166-1 alpha-2. With one only, nothing is to be chosen. */
  countries: readonly string[]
  country: string
  onCountry: (country: string) => void
  address?: PostalAddress | null | undefined
  problems?: FieldProblems | undefined
}

function AddressFields({ countries, country, onCountry, address, problems }: AddressFieldsProps) {
  const choices = countries.includes(country) ? countries : [country, ...countries]
  const isUs = country === 'US'
  const field = (name: keyof PostalAddress, label: string, autoComplete: string, isRequired = true) => (
    <Field
      label={isRequired ? label : fill(addressTexts.optional, { label })}
      name={name}
      autoComplete={`shipping ${autoComplete}`}
      defaultValue={address?.[name]}
      required={isRequired}
      problem={problems?.[name]}
      {...(name === 'postal_code' && isUs && { inputMode: 'numeric' })}
      {...(name === 'phone' && { type: 'tel' })}
    />
  )
  return (
    <div className="grid gap-4">
      {field('name', addressTexts.name, 'name')}
      {field('line1', addressTexts.street, 'address-line1')}
      {field('line2', addressTexts.flat, 'address-line2', false)}
      {field('city', addressTexts.city, 'address-level2')}
      {/* Both inputs stand in one row, however many lines the labels and problems take. */}
      <div className="grid grid-cols-2 gap-x-4 *:row-span-3 *:grid *:grid-rows-subgrid [&_label]:self-end">
        {isUs ? (
          <SelectField
            label={addressTexts.state}
            name="state"
            autoComplete="shipping address-level1"
            required
            defaultValue={usStateCode(address?.state ?? '') ?? ''}
            options={stateOptions()}
            problem={problems?.['state']}
          />
        ) : (
          field('state', addressTexts.region, 'address-level1', needsState(country))
        )}
        {field(
          'postal_code',
          isUs ? addressTexts.zip : addressTexts.postalCode,
          'postal-code',
          needsPostalCode(country),
        )}
      </div>
      {choices.length > 1 ? (
        <SelectField
          label={addressTexts.country}
          name="country"
          autoComplete="shipping country"
          value={country}
          onChange={({ target }) => onCountry(target.value)}
          options={choices.map((code) => ({ value: code, label: countryName(code) }))}
          problem={problems?.['country']}
        />
      ) : (
        <p className="text-sm text-soft">
          <input type="hidden" name="country" value={country} />
          {fill(addressTexts.within, { country: countryName(country) })}
        </p>
      )}
      {field('phone', addressTexts.phone, 'tel', false)}
    </div>
  )
}

const stateOptions = () => [
  { value: '', label: addressTexts.choose },
  ...usStates.map(({ code, name }) => ({ value: code, label: name })),
]
