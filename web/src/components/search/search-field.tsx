import { TextField, type TextFieldProps } from '../account/text-field.tsx';
import styles from './search-field.module.css';

/** A field that searches on every key. `onFocus`: loads the search. */
export const SearchField = (
  props: Pick<TextFieldProps, 'label' | 'placeholder' | 'value' | 'onChange' | 'onFocus'>,
) => (
  <div className={styles.Search} data-scripted>
    <TextField {...props} type="search" autoComplete="off" />
  </div>
);

export const SearchFailed = () => (
  <p role="alert">The search didn’t load. Check your connection and select the field again.</p>
);
