import { sql, type SQL } from 'drizzle-orm'

export function dayIn(timeZone: string, moment: Date): string {
  return moment.toLocaleDateString('sv-SE', { timeZone })
}

export function midnight(day: string, timeZone: string, later = 0): SQL {
  return sql`(${day}::date + ${later}::int)::timestamp at time zone ${timeZone}`
}
