// The settings screen of the shop: its address, time zone and currency, guest checkout, and second factors of admins.
import { Suspense, useState } from 'react'
import { Await, useLoaderData } from 'react-router'
import { settingValues } from '#contract/settings/settings.ts'
import { manualPath } from '#contract/overview/manual.ts'
import type { SiteAddress } from '#contract/setup/setup.ts'
import type { FirstStepsApi } from '#domains/setup/setup.routes.ts'
import { responseOf } from '../../../api.ts'
import { currencyOptions } from '../price-field.tsx'
import { readText } from '../../../forms/form.ts'
import { discardUnsavedChanges } from '../../../forms/unsaved-changes.ts'
import { TextLink } from '../links.tsx'
import { Button } from '../../../components/button.tsx'
import { CircleCheck, TriangleAlert } from '../icons.tsx'
import { Callout } from '../../../components/note.tsx'
import { adminClient } from '../calls.tsx'
import type { Route } from './+types/shop.ts'
import {
  defineSettings,
  SettingField,
  SettingSelect,
  SettingsForm,
  type FormGroup,
} from './settings-form.tsx'
import { ownTimeZone, timeIn, useNow } from './shared-with-setup.tsx'

const setupApi = adminClient<FirstStepsApi>()

const settings = defineSettings({
  group: 'shop',
  title: 'Shop',
  about:
    'Where visitors find the shop, when its day begins, what its prices are in, and whether buyers need an account.',
  schema: settingValues.shape.shop.omit({
    former_site_urls: true,
    id: true,
    confirmed_site_url: true,
    reached: true,
  }),
  read: (form) => ({ site_url: withScheme(readText(form, 'site_url').trim()) }),
  fields: {
    site_url: Address,
    time_zone: TimeZone,
    currency: {
      label: 'Currency',
      options: currencyOptions(),
      hint: 'Of all prices and sales. It can be changed until the first sale; prices keep their numbers. Test orders do not count, nor do those of admins while no money is taken.',
    },
    has_guest_checkout: {
      label: 'Buyers need no account',
      hint: 'They give their email address, pay, and get the book. This applies to your own book once payments are set up. Where nothing is to be paid, and for the sample book, they sign in first.',
    },
    admins_need_factor: {
      label: 'Admins need a second factor',
      hint: 'An admin without one is led to the account page and adds an authenticator app or a passkey before anything else.',
    },
  },
})

export async function clientLoader() {
  // Not waited for: the shop asks its own address, which may take seconds.
  const address = responseOf(setupApi.address.$get()).catch(() => undefined)
  return { group: await settings.clientLoader(), address }
}

export async function clientAction(args: Route.ClientActionArgs) {
  const result = await settings.clientAction(args)
  if (result.isSaved && result.changed.includes('currency')) {
    // Every screen shows the currency that the page came with.
    discardUnsavedChanges()
    location.reload()
  }
  return result
}

export const shouldRevalidate = settings.shouldRevalidate

export default function ShopSettings({ loaderData: { group }, actionData }: Route.ComponentProps) {
  return <SettingsForm settings={settings} group={group} result={actionData} />
}

/** As people write an address. The same as it is stored, so that a slash at its end is no change. */
function withScheme(address: string): string {
  return `${/^[a-z]+:/i.test(address) ? '' : 'https://'}${address}`.replace(/\/$/, '')
}

type ShopGroup = FormGroup<{ site_url: string; time_zone: string }>

function Address({ group }: { group: ShopGroup }) {
  const { address } = useLoaderData<typeof clientLoader>()
  return (
    <div className="grid gap-3">
      <AddressField group={group} />
      <Suspense fallback={<p className="text-sm text-soft">Checking whether it leads here…</p>}>
        <Await resolve={address}>
          {(checked) => checked?.url === group.values.site_url && <AddressState address={checked} />}
        </Await>
      </Suspense>
    </div>
  )
}

function AddressField({ group }: { group: ShopGroup }) {
  const [typed, setTyped] = useState(group.values.site_url)
  const host = hostOf(group.values.site_url)
  return (
    <>
      <SettingField
        group={group}
        name="site_url"
        label="Address"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        defaultValue={group.values.site_url}
        onChange={({ target }) => setTyped(target.value)}
        hint="It stands in emails, links, and what search engines read. Links in emails that were sent before keep the old address."
      />
      {hostOf(withScheme(typed.trim())) !== host && (
        <Callout role="alert">
          Passkeys belong to {host}: at another address none of them works, not even yours. Have your password
          ready and, where you have a second factor, an authenticator app or a recovery code.
        </Callout>
      )}
    </>
  )
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined
}

const localAddresses: Partial<Record<SiteAddress['reach'], string>> = {
  computer: 'opens on this computer only',
  network: 'opens in your own network only',
}

function AddressState({ address: { url, is_https, fault, reach } }: { address: SiteAddress }) {
  const local = localAddresses[reach]
  const isGood = is_https && !fault && !local
  const Icon = isGood ? CircleCheck : TriangleAlert
  return (
    <p role="status" className="flex gap-2.5 text-sm">
      <Icon aria-hidden className={`mt-px size-5 shrink-0 ${isGood ? 'text-success' : 'text-gold-text'}`} />
      <span className="min-w-0 text-pretty break-words">
        {isGood && <span>{`${url} leads to this shop, over https.`}</span>}
        {fault && <span>{`Visitors may not reach the shop: ${fault}. `}</span>}
        {local && (
          <>
            <span>{`${url} ${local}. `}</span>
            <TextLink to={manualPath('internet')}>Put your shop on the internet</TextLink>
          </>
        )}
        {!is_https && !local && (
          <span>{`${url} has no https: what visitors type, passwords too, can be read on its way.`}</span>
        )}
      </span>
    </p>
  )
}

function TimeZone({ group }: { group: ShopGroup }) {
  const now = useNow()
  const [zone, setZone] = useState(group.values.time_zone)
  const own = ownTimeZone()
  const zones = [
    ...new Set(['UTC', group.values.time_zone, ...(own ? [own] : []), ...Intl.supportedValuesOf('timeZone')]),
  ]
  return (
    <div className="grid gap-3">
      <SettingSelect
        group={group}
        name="time_zone"
        label="Time zone"
        value={zone}
        onChange={({ target }) => setZone(target.value)}
        options={zones}
        hint={`Decides when a day of sales begins and ends, also for days past, and when the nightly backup runs. In ${zone} it is now ${timeIn(zone, now)}.`}
      />
      {own && own !== zone && !('time_zone' in group.variables) && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
          <span>{`Your browser is in ${own}, now ${timeIn(own, now)}.`}</span>
          <Button
            look="outline"
            className="min-h-9 px-3 py-1"
            onClick={() => {
              setZone(own)
              group.markChanged()
            }}
          >
            Choose it
          </Button>
        </p>
      )}
    </div>
  )
}
