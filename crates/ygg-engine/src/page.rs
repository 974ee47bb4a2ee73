//! Pages of lists that show a reader only what it may see, at a bounded cost for each.

use ygg_wire::Page;

use crate::Result;

/// Rows looked at for one page. A reader who may see little gets a short page with a cursor, never a long wait.
pub const ROWS: usize = 1_000;

/// Up to `limit` of what `see` shows, out of at most `ROWS` that were found.
pub fn page<T, V>(
    found: Vec<T>,
    limit: usize,
    cursor: impl Fn(&T) -> String,
    mut see: impl FnMut(T) -> Result<Option<V>>,
) -> Result<Page<V>> {
    let cut = found.len() == ROWS;
    let mut items = Vec::new();
    let mut last = None;
    let mut rest = found.into_iter();
    for row in rest.by_ref() {
        last = Some(cursor(&row));
        items.extend(see(row)?);
        if items.len() == limit {
            break;
        }
    }
    let more = cut || rest.next().is_some();
    Ok(Page { items, next: last.filter(|_| more) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(rows: usize, limit: usize, visible: impl Fn(usize) -> bool) -> (Vec<usize>, Option<String>) {
        let page = page((0..rows).collect(), limit, usize::to_string, |row| Ok(visible(row).then_some(row)));
        let page = page.expect("nothing here fails");
        (page.items, page.next)
    }

    #[test]
    fn a_cursor_leads_on_exactly_when_there_is_more() {
        assert_eq!(seen(3, 5, |_| true), (vec![0, 1, 2], None));
        assert_eq!(seen(3, 3, |_| true), (vec![0, 1, 2], None));
        assert_eq!(seen(4, 3, |_| true), (vec![0, 1, 2], Some("2".to_owned())));
        assert_eq!(seen(ROWS, 3, |_| false), (vec![], Some("999".to_owned())));
        assert_eq!(seen(0, 3, |_| true), (vec![], None));
    }
}
