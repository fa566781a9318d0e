// What only the bundle gives: its pages are in content/bonus, made into a file by `npm run edition`.
export const bonusTitle = 'Nine Prayers and Questions'
