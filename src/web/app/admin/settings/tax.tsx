import { Link } from 'react-router'
import { formats } from '#contract/catalog/products.ts'
import { settingValues } from '#contract/operations/settings.ts'
import { defineSettings, fixedHint, SettingField, type FormGroup } from './settings-form.tsx'

const settings = defineSettings({
  group: 'tax',
  title: 'Tax',
  about:
    'Stripe works out tax and makes invoices. All of this applies to checkouts that are opened from now on, and only where payments are taken through Stripe.',
  schema: settingValues.shape.tax,
  fields: {
    has_tax: {
      label: 'Work out tax (Stripe Tax)',
      hint: 'Stripe Tax has to be set up first in Stripe’s dashboard: a head office, and where you are registered. What is missing there is listed under Needs attention.',
    },
    tax_codes: TaxCodes,
    has_tax_ids: {
      label: 'Let buyers give their tax ID',
      hint: 'A company’s VAT number, for example, stands on its invoice then.',
    },
    has_invoices: {
      label: 'Make an invoice of each purchase',
      hint: 'The receipt links to it. Stripe may charge for invoices.',
    },
  },
})

export const { clientLoader, clientAction, shouldRevalidate } = settings
export default settings.Screen

function TaxCodes({ group }: { group: FormGroup<{ tax_codes: Record<string, string> }> }) {
  const variable = group.variables['tax_codes']
  return (
    <fieldset className="grid gap-4">
      <legend className="font-semibold">Tax codes</legend>
      <p className="mt-1.5 text-sm text-pretty text-soft">
        {variable
          ? fixedHint(variable)
          : 'How Stripe taxes each format. The codes here are those for books; audio and courses have others.'}{' '}
        <Link
          to="https://docs.stripe.com/tax/tax-codes"
          target="_blank"
          rel="noreferrer"
          className="underline underline-offset-4 hover:text-ink"
        >
          All codes of Stripe
        </Link>
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        {formats.map((format) => (
          <SettingField
            key={format}
            group={group}
            name={`tax_codes.${format}`}
            label={format.charAt(0).toUpperCase() + format.slice(1)}
            autoComplete="off"
            spellCheck={false}
            readOnly={variable !== undefined}
            defaultValue={group.values.tax_codes[format]}
          />
        ))}
      </div>
    </fieldset>
  )
}
