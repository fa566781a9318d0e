// A postal address, line under line.
import { Fragment } from 'react'

type AddressProps = {
  address: {
    name: string
    line1: string
    line2: string
    city: string
    state: string
    postal_code: string
    country: string
  }
}

const lands = new Intl.DisplayNames('en', { type: 'region' })

export function PostalAddress({ address }: AddressProps) {
  const { name, line1, line2, city, state, postal_code, country } = address
  const place = [city, [state, postal_code].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  const lines = [name, line1, line2, place, lands.of(country)].filter(Boolean)
  return (
    <address className="break-words not-italic">
      {lines.map((line, at) => (
        <Fragment key={line}>
          {at > 0 && <br />}
          {line}
        </Fragment>
      ))}
    </address>
  )
}
