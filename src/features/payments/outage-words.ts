// A stretch in which nobody could pay, in one sentence for the author.

type Outage = {
  reason: 'unavailable' | 'denied'
  began_at: Date
  ended_at: Date
  people: number
}

const causes = {
  unavailable: 'Stripe did not answer',
  denied: 'Stripe did not accept the key of the shop',
}

/** In the shop's time zone; with the days where they are two. */
export function describeOutage({ reason, began_at, ended_at, people }: Outage, time_zone: string): string {
  const day = (moment: Date) => inZone(moment, { dateStyle: 'medium' })
  const time = (moment: Date) => inZone(moment, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const isOneDay = day(began_at) === day(ended_at)
  const [from, to] = [began_at, ended_at].map((moment) =>
    isOneDay ? time(moment) : `${time(moment)} on ${day(moment)}`,
  )
  const stretch = from === to ? `at ${from}` : `from ${from} to ${to}`
  const when = isOneDay ? `On ${day(began_at)}, ${stretch}` : `From ${from} to ${to}`
  const who = people === 1 ? '1 person' : `${people} people`
  return `${when} (${time_zone}) ${causes[reason]}; ${who} could not pay.`

  function inZone(moment: Date, parts: Intl.DateTimeFormatOptions): string {
    return moment.toLocaleString('en-US', { ...parts, timeZone: time_zone })
  }
}
