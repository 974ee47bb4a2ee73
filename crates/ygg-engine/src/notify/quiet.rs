//! Quiet hours: what a person writes, and when they end, in the person's own time.

use jiff::tz::{Offset, TimeZone};
use ygg_domain::Refusal;
use ygg_domain::notification::{Ends, Quiet};
use ygg_domain::time::Timestamp;
use ygg_wire::notification::QuietHours;

/// Quiet hours as they can be kept.
pub fn read(hours: &QuietHours) -> Result<Quiet, Refusal> {
    let minute = |text: &str| {
        let (hour, minute) = text.split_once(':')?;
        let two = |text: &str| (text.len() == 2).then(|| text.parse::<u16>().ok()).flatten();
        let (hour, minute) = (two(hour)?, two(minute)?);
        (hour < 24 && minute < 60).then_some(hour * 60 + minute)
    };
    let bad = || {
        Refusal::invalid("quiet: from and to are times of day, such as 22:00 and 07:00, and not the same.")
    };
    let (from_minute, to_minute) = (minute(&hours.from).ok_or_else(bad)?, minute(&hours.to).ok_or_else(bad)?);
    if from_minute == to_minute {
        return Err(bad());
    }
    if zone(&hours.zone).is_none() {
        return Err(Refusal::invalid(
            "quiet: zone is the name of a time zone, such as Europe/Berlin, or an offset, such as +02:00.",
        ));
    }
    Ok(Quiet { from_minute, to_minute, zone: hours.zone.clone() })
}

/// When the quiet ends that is now, if it is. Summer time and all that is the zone's.
pub fn until(quiet: &Quiet, now: Timestamp) -> Option<Timestamp> {
    // One that the machine does not know any more, after an update, counts as that of Greenwich.
    let zone = zone(&quiet.zone).unwrap_or(TimeZone::UTC);
    let local = jiff::Timestamp::from_millisecond(now.0).ok()?.to_zoned_datetime(zone.clone());
    let (hour, minute) = (u16::try_from(local.hour()).ok()?, u16::try_from(local.minute()).ok()?);
    let day = match quiet.at(hour * 60 + minute)? {
        Ends::Today => local.date(),
        Ends::Tomorrow => local.date().tomorrow().ok()?,
    };
    let (hour, minute) = (i8::try_from(quiet.to_minute / 60).ok()?, i8::try_from(quiet.to_minute % 60).ok()?);
    let end = day.at(hour, minute, 0, 0).to_zoned_datetime(zone).ok()?;
    // An hour that there is twice ends once, never before now.
    Some(Timestamp(end.timestamp().as_millisecond())).filter(|end| *end > now)
}

fn zone(name: &str) -> Option<TimeZone> {
    match offset(name) {
        Some(offset) => Some(TimeZone::fixed(offset)),
        None => TimeZone::get(name).ok(),
    }
}

/// `+02:00`
fn offset(text: &str) -> Option<Offset> {
    let sign = match text.get(..1)? {
        "+" => 1,
        "-" => -1,
        _ => return None,
    };
    let (hours, minutes) = text.get(1..)?.split_once(':')?;
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    if !(0..=18).contains(&hours) || !(0..60).contains(&minutes) {
        return None;
    }
    Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(from: &str, to: &str, zone: &str) -> QuietHours {
        QuietHours { from: from.to_owned(), to: to.to_owned(), zone: zone.to_owned() }
    }

    fn instant(text: &str) -> Timestamp {
        Timestamp(text.parse::<jiff::Timestamp>().expect("an instant").as_millisecond())
    }

    #[test]
    fn quiet_hours_are_those_of_the_persons_own_clock() {
        // from, to, zone, now, when it ends
        for (from, to, zone, now, ends) in [
            ("22:00", "07:00", "UTC", "2026-01-10T21:59:59Z", None),
            ("22:00", "07:00", "UTC", "2026-01-10T22:00:00Z", Some("2026-01-11T07:00:00Z")),
            ("22:00", "07:00", "UTC", "2026-01-10T06:59:59Z", Some("2026-01-10T07:00:00Z")),
            ("22:00", "07:00", "UTC", "2026-01-10T07:00:00Z", None),
            ("12:00", "13:30", "+05:30", "2026-01-10T06:30:00Z", Some("2026-01-10T08:00:00Z")),
            ("12:00", "13:30", "-03:00", "2026-01-10T15:00:00Z", Some("2026-01-10T16:30:00Z")),
            ("22:00", "07:00", "America/New_York", "2026-01-10T03:30:00Z", Some("2026-01-10T12:00:00Z")),
            // The night in which an hour is left out, and the one in which it comes twice.
            ("22:00", "07:00", "Europe/Berlin", "2026-03-28T22:00:00Z", Some("2026-03-29T05:00:00Z")),
            ("22:00", "07:00", "Europe/Berlin", "2026-10-24T22:00:00Z", Some("2026-10-25T06:00:00Z")),
            // An end that there is not on that night is what the clocks show then.
            ("01:00", "02:30", "Europe/Berlin", "2026-03-29T00:30:00Z", Some("2026-03-29T01:30:00Z")),
        ] {
            let quiet = read(&hours(from, to, zone)).expect("quiet hours");
            assert_eq!(until(&quiet, instant(now)), ends.map(instant), "{from} {to} {zone} {now}");
        }
    }

    #[test]
    fn what_is_no_time_of_day_and_no_zone_is_refused() {
        for (from, to, zone) in [
            ("24:00", "07:00", "UTC"),
            ("22:60", "07:00", "UTC"),
            ("22", "07:00", "UTC"),
            ("7:00", "22:00", "UTC"),
            ("07:00", "07:00", "UTC"),
            ("22:00", "07:00", ""),
            ("22:00", "07:00", "Europe/Nowhere"),
            ("22:00", "07:00", "+99:00"),
            ("22:00", "07:00", "../../etc/passwd"),
        ] {
            assert!(read(&hours(from, to, zone)).is_err(), "{from} {to} {zone}");
        }
    }
}
