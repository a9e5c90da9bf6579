<?php
/**
 * Visits that wait to be sent.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * A table, because adding a row is one short write that several PHP processes and machines do at the same time without losing each other's
 * rows. An option would be read and written as a whole for each visit, a file would be in a folder that the web server shows to everyone, and
 * a transient may be forgotten at any time. Only AI visits and samples are written, after the page has gone.
 *
 * The table is bounded: when the service can't be reached for long, further visits are dropped and counted.
 */
final class Ghostlight_Buffer {

	const MAX_ROWS  = 2000;
	const MAX_BYTES = 60000;
	const SCHEMA    = '1';

	/**
	 * Makes the table where it is missing, and the options: most of them are not needed on every page, and are not loaded with it.
	 *
	 * @return void
	 */
	public static function install() {
		if ( self::SCHEMA === get_option( 'ghostlight_schema' ) ) {
			return;
		}
		global $wpdb;
		require_once ABSPATH . 'wp-admin/includes/upgrade.php';
		$table   = self::table();
		$charset = $wpdb->get_charset_collate();
		dbDelta( "CREATE TABLE {$table} (\n  id bigint(20) unsigned NOT NULL AUTO_INCREMENT,\n  visit text NOT NULL,\n  PRIMARY KEY  (id)\n) {$charset};" );
		foreach ( array( 'secret', 'lists', 'status', 'manifest' ) as $name ) {
			add_option( 'ghostlight_' . $name, array(), '', false );
		}
		foreach ( array( 'turn', 'dropped' ) as $name ) {
			add_option( 'ghostlight_' . $name, '0', '', false );
		}
		update_option( 'ghostlight_schema', self::SCHEMA );
	}

	/**
	 * Adds a visit.
	 *
	 * @param string $line JSON of ASCII alone, so that no character set of a database changes it.
	 * @return bool False: it was dropped, and counted.
	 */
	public static function add( $line ) {
		global $wpdb;
		$quiet = $wpdb->suppress_errors();
		$added = strlen( $line ) <= self::MAX_BYTES && self::size() < self::MAX_ROWS
			&& false !== $wpdb->insert( self::table(), array( 'visit' => $line ), array( '%s' ) ); // phpcs:ignore WordPress.DB.DirectDatabaseQuery -- A table of one's own.
		$wpdb->suppress_errors( $quiet );
		if ( ! $added ) {
			self::drop( 1 );
		}
		return $added;
	}

	/**
	 * The oldest visits.
	 *
	 * @param int $rows  At most.
	 * @param int $bytes At most, but one visit always.
	 * @return array<int, string> Id => line.
	 */
	public static function oldest( $rows, $bytes ) {
		global $wpdb;
		$quiet = $wpdb->suppress_errors();
		// phpcs:ignore WordPress.DB -- A table of one's own.
		$found = $wpdb->get_results( $wpdb->prepare( 'SELECT id, visit FROM ' . self::table() . ' ORDER BY id LIMIT %d', $rows ) );
		$wpdb->suppress_errors( $quiet );
		$lines = array();
		foreach ( is_array( $found ) ? $found : array() as $row ) {
			$bytes -= strlen( $row->visit ) + 1;
			if ( $bytes < 0 && array() !== $lines ) {
				break;
			}
			$lines[ (int) $row->id ] = $row->visit;
		}
		return $lines;
	}

	/**
	 * Forgets visits that were sent. By their ids: rows of other processes may have come between them.
	 *
	 * @param int[] $ids Of rows.
	 * @return void
	 */
	public static function remove( array $ids ) {
		global $wpdb;
		if ( array() !== $ids ) {
			// phpcs:ignore WordPress.DB -- A table of one's own, and numbers alone.
			$wpdb->query( 'DELETE FROM ' . self::table() . ' WHERE id IN (' . implode( ',', array_map( 'intval', $ids ) ) . ')' );
		}
	}

	/**
	 * How many visits wait. At most 2,000 short rows are counted; their ids may have gaps, in some clusters between all of them.
	 *
	 * @return int
	 */
	public static function size() {
		global $wpdb;
		$quiet = $wpdb->suppress_errors();
		// phpcs:ignore WordPress.DB -- A table of one's own.
		$size = (int) $wpdb->get_var( 'SELECT COUNT(*) FROM ' . self::table() );
		$wpdb->suppress_errors( $quiet );
		return $size;
	}

	/**
	 * Counts visits that are lost. In one statement, because several processes may do it.
	 *
	 * @param int $visits How many.
	 * @return void
	 */
	public static function drop( $visits ) {
		global $wpdb;
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- The cache is cleared below.
		$wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->options} SET option_value = option_value + %d WHERE option_name = 'ghostlight_dropped'", $visits ) );
		wp_cache_delete( 'ghostlight_dropped', 'options' );
	}

	/**
	 * How many visits were dropped since the plugin was installed.
	 *
	 * @return int
	 */
	public static function dropped() {
		return (int) get_option( 'ghostlight_dropped', 0 );
	}

	/**
	 * Name of the table.
	 *
	 * @return string
	 */
	private static function table() {
		global $wpdb;
		return $wpdb->prefix . 'ghostlight_visits';
	}
}
