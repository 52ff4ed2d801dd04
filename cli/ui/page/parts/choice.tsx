/** A list to choose from, whose first entry is all of them. */
export function Choice({
  label,
  all,
  value,
  values,
  onChoose,
}: {
  readonly label: string;
  readonly all: string;
  /** Empty for all. */
  readonly value: string;
  readonly values: readonly string[];
  readonly onChoose: (value: string) => void;
}) {
  return (
    <label>
      <span class="unseen">{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">{all}</option>
        {values.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
