// The separator of columns in exported CSV files: chosen once in a browser, for all of them.
import { useState } from 'react'
import { csvSeparators, type CsvSeparator } from '#contract/reports/report-tables.ts'
import { SelectField } from '../../components/further-fields.tsx'

const key = 'admin.csv-separator'

export function chosenSeparator(): CsvSeparator {
  return csvSeparators.find((each) => each === localStorage.getItem(key)) ?? 'comma'
}

const options = [
  { value: 'comma', label: 'Comma between columns, 12.05' },
  { value: 'semicolon', label: 'Semicolon between columns, 12,05' },
]

export function CsvSeparatorField() {
  const [separator, setSeparator] = useState<string>(chosenSeparator)
  return (
    <SelectField
      label="For your spreadsheet"
      hint="If a file opens in a single column, choose the other. It holds for every CSV file of this browser."
      options={options}
      value={separator}
      onChange={({ target }) => {
        localStorage.setItem(key, target.value)
        setSeparator(target.value)
      }}
    />
  )
}
